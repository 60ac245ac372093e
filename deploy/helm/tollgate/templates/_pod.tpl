{{/* The pod of a role. Takes a list: root, name of the role. */}}
{{- define "tollgate.pod" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $role := get (include "tollgate.roles" $root | fromYaml) $name -}}
{{- $settings := get $root.Values.roles $name -}}
{{- $processors := eq $name "payments" | ternary $root.Values.processors.existingConfigMap "" -}}
{{- $certificates := $root.Values.caCertificates.existingConfigMap -}}
metadata:
  labels:
    {{- include "tollgate.labels" . | nindent 4 }}
  {{- with $root.Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "tollgate.fullname" $root }}
  {{- include "tollgate.podDefaults" $root | nindent 2 }}
  # The drain, the 28 s in which a process finishes what is in flight, and some time to be killed last.
  terminationGracePeriodSeconds: {{ add $root.Values.drainSeconds 35 }}
  topologySpreadConstraints:
    {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "tollgate.selector" (list $root $name) | nindent 10 }}
    {{- end }}
  containers:
    - name: {{ $name }}
      {{- include "tollgate.container" (list $root $settings.tag) | nindent 6 }}
      args: [{{ $role.main }}]
      ports:
        {{- range $port, $number := $role.ports }}
        - name: {{ $port }}
          containerPort: {{ $number }}
        {{- end }}
        - name: ops
          containerPort: 9090
      env:
        {{- include "tollgate.environment" . | trim | nindent 8 }}
      # Until the process listens, which takes longer on a busy node.
      startupProbe:
        httpGet: { path: /livez, port: ops }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /livez, port: ops }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: ops }
        periodSeconds: 5
        timeoutSeconds: 4
        failureThreshold: 3
      resources:
        {{- toYaml $settings.resources | nindent 8 }}
      {{- if or (eq $name "gateway") $processors $certificates }}
      volumeMounts:
        {{- if eq $name "gateway" }}
        - name: usage
          mountPath: {{ $role.env.USAGE_SPOOL_DIR }}
        {{- end }}
        {{- if $processors }}
        - name: processors
          mountPath: /etc/tollgate
          readOnly: true
        {{- end }}
        {{- include "tollgate.certificatesMount" $root | nindent 8 }}
      {{- end }}
  {{- if or $processors $certificates }}
  volumes:
    {{- if $processors }}
    - name: processors
      configMap:
        name: {{ $processors }}
    {{- end }}
    {{- include "tollgate.certificatesVolume" $root | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* What is the same for every pod. */}}
{{- define "tollgate.podDefaults" -}}
automountServiceAccountToken: false
# Variables of other Services would mix with those of Tollgate.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* The image of a container, and what is the same for every one. Takes a list: root, tag or an empty text. */}}
{{- define "tollgate.container" -}}
image: {{ include "tollgate.image" . | quote }}
imagePullPolicy: {{ (index . 0).Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}
