{{/* The names of all objects begin with this one. */}}
{{- define "tollgate.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels of a pod that never change. Takes a list: root, component. */}}
{{- define "tollgate.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Takes a list: root, component. */}}
{{- define "tollgate.labels" -}}
{{- $root := index . 0 -}}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Takes a list: root, tag of the role or an empty text. */}}
{{- define "tollgate.image" -}}
{{- $root := index . 0 -}}
{{- $image := $root.Values.image -}}
{{- $tag := index . 1 -}}
{{- if and $image.digest $image.tag -}}
{{- fail "image.digest and image.tag are both set. Empty one of them: the digest would override the tag, also the tag of a single role." -}}
{{- end -}}
{{- if and $image.digest (not $tag) -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ coalesce $tag $image.tag $root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* What a process listens on to be reached from other pods. */}}
{{- define "tollgate.everyAddress" -}}
{{ eq .Values.ipFamily "IPv6" | ternary "::" "0.0.0.0" }}
{{- end -}}

{{/* The address of MongoDB for a user whose password is in a variable. Takes a list: root, user, variable. */}}
{{- define "tollgate.mongodbUrl" -}}
{{- $mongodb := (index . 0).Values.mongodb -}}
{{- $hosts := list -}}
{{- range $mongodb.hosts -}}
{{- /* Ports are in the DNS records. */ -}}
{{- $hosts = append $hosts (eq $mongodb.scheme "mongodb+srv" | ternary . (printf "%s:%v" . $mongodb.port)) -}}
{{- end -}}
{{ $mongodb.scheme }}://{{ index . 1 }}:$({{ index . 2 }})@{{ join "," $hosts }}/?{{ $mongodb.options }}
{{- end -}}

{{/* The addresses of NATS for a user, whose password is in NATS_PASSWORD. Takes a list: root, user. */}}
{{- define "tollgate.natsUrl" -}}
{{- $nats := (index . 0).Values.nats -}}
{{- $user := index . 1 -}}
{{- $urls := list -}}
{{- range $nats.hosts -}}
{{- $urls = append $urls (printf "%s://%s:$(NATS_PASSWORD)@%s:%v" $nats.scheme $user . $nats.port) -}}
{{- end -}}
{{ join "," $urls }}
{{- end -}}
