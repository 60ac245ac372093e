{{/* One variable from a Secret. Takes a list: variable, Secret, key, whether it may be missing. */}}
{{- define "tollgate.secretVariable" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 2 }}
      {{- if index . 3 }}
      optional: true
      {{- end }}
{{- end -}}

{{/* The variables of a role. Takes a list: root, name of the role. */}}
{{- define "tollgate.environment" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $role := get (include "tollgate.roles" $root | fromYaml) $name -}}
{{- $settings := get $root.Values.roles $name -}}
{{- $secret := $settings.existingSecret | default $root.Values.existingSecret -}}
{{- if or (hasKey $root.Values.env "DRAIN_DELAY") (hasKey $settings.env "DRAIN_DELAY") -}}
{{- fail "DRAIN_DELAY is set in env. Set drainSeconds instead, which also extends the time that Kubernetes gives a pod to stop." -}}
{{- end -}}
{{- $isService := has $name (include "tollgate.services" $root | splitList " ") -}}
{{- $env := dict
  "OPS_HOST" (include "tollgate.everyAddress" $root)
  "OPS_PORT" "9090"
  "LOG_LEVEL" $root.Values.logLevel
  "DRAIN_DELAY" (printf "%vs" $root.Values.drainSeconds)
  "OTEL_EXPORTER_OTLP_ENDPOINT" ""
  "OTEL_TRACES_SAMPLER_ARG" "1"
-}}
{{- /* Kubernetes replaces $(NAME) only with variables that come before. */ -}}
{{- if ne $name "dashboard" }}
{{ include "tollgate.secretVariable" (list "NATS_PASSWORD" $secret (printf "NATS_PASSWORD_%s" (upper $name)) false) }}
{{- $env = merge $env (dict
  "NATS_URL" (include "tollgate.natsUrl" (list $root $name))
  "NATS_REPLICAS" (toString $root.Values.nats.replicas)
  "NATS_STREAM_MAX_BYTES" "536870912"
) }}
{{- end }}
{{- if $isService }}
{{ include "tollgate.secretVariable" (list "MONGODB_PASSWORD" $secret (printf "MONGODB_PASSWORD_%s" (upper $name)) false) }}
{{- $env = merge $env (dict
  "MONGODB_URL" (include "tollgate.mongodbUrl" (list $root $name "MONGODB_PASSWORD"))
) }}
{{- end }}
{{- if eq $name "payments" }}
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
{{- end }}
{{- range $variable, $key := $role.secrets }}
{{ include "tollgate.secretVariable" (list $variable $secret $key false) }}
{{- end }}
{{- range $variable, $key := $role.optionalSecrets }}
{{ include "tollgate.secretVariable" (list $variable $secret $key true) }}
{{- end }}
{{- range $variable, $key := $settings.secretEnv }}
{{ include "tollgate.secretVariable" (list $variable $secret $key false) }}
{{- end }}
{{ include "tollgate.certificatesVariable" $root }}
{{- /* Values of the operator come last. An empty string is a value here. `merge` would treat it as missing. */ -}}
{{- range $layer := list $role.env $root.Values.env $settings.env }}
{{- range $variable, $value := $layer }}
{{- $_ := set $env $variable $value }}
{{- end }}
{{- end }}
{{- range $variable, $value := $env }}
- name: {{ $variable }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}
