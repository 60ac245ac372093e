{{/* Certificates of authorities besides those of Node, for every process. The three parts are empty without any. */}}
{{- define "tollgate.certificatesVolume" -}}
{{- with .Values.caCertificates.existingConfigMap -}}
- name: ca-certificates
  configMap:
    name: {{ . }}
{{- end -}}
{{- end -}}

{{- define "tollgate.certificatesMount" -}}
{{- if .Values.caCertificates.existingConfigMap -}}
- name: ca-certificates
  mountPath: /etc/tollgate-ca
  readOnly: true
{{- end -}}
{{- end -}}

{{- define "tollgate.certificatesVariable" -}}
{{- if .Values.caCertificates.existingConfigMap -}}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/tollgate-ca/ca.crt
{{- end -}}
{{- end -}}
