{{- define "quantloom.labels" -}}
app.kubernetes.io/name: quantloom
app.kubernetes.io/component: {{ . }}
{{- end }}

{{- define "quantloom.image" -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- end }}

{{- define "quantloom.dataClaim" -}}
{{ .Values.data.existingClaim | default "data" }}
{{- end }}

{{/* What no process of ours has: rights. */}}
{{- define "quantloom.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "quantloom.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "quantloom.claim" -}}
{{- if not .claim.existingClaim }}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  annotations:
    # It outlives the release.
    helm.sh/resource-policy: keep
spec:
  accessModes: [{{ .mode }}]
  {{- with .claim.storageClassName }}
  storageClassName: {{ . }}
  {{- end }}
  resources:
    requests:
      storage: {{ .claim.size }}
{{- end }}
{{- end }}
