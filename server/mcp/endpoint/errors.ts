import { defineErrors } from '../../platform/http/error.ts'

export const mcpError = defineErrors({
  mcp_sign_in_required: (detail: string, challenge: string) => ({
    status: 401,
    detail,
    headers: { 'www-authenticate': challenge },
  }),
  mcp_tools_invalid: (detail: string) => ({ status: 400, detail }),
  mcp_host_not_allowed: {
    status: 403,
    detail: 'Host is not allowed; set SVC_BASE_URL to the address that clients use',
  },
})
