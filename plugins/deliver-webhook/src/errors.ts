import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of telling an address about a result; none holds more of the address than its origin. */
export const deliverWebhookErrors = {
  VID_WEBHOOK_URL: (f: { origin: string; problem: string }) => ({
    message: `the webhook's address ${f.origin} cannot be used: ${f.problem}`,
    hint: 'give an https address without a user name; http is for this machine only',
    fault: 'caller',
  }),
  VID_WEBHOOK_HEADER: (f: { name: string }) => ({
    message: `the webhook's header "${f.name}" has a name or a value that HTTP does not allow`,
    hint: 'leave out line breaks and letters beyond Latin-1',
    fault: 'caller',
  }),
  VID_WEBHOOK_REFUSED: (f: { origin: string; status: number }) => ({
    message: `the webhook at ${f.origin} refused the result with status ${f.status}`,
    hint: 'check the address, its headers and the secret that both sides share',
    final: true,
    fault: 'machine',
  }),
  VID_WEBHOOK_REDIRECTED: (f: { origin: string; status: number; to: string }) => ({
    message: `the webhook at ${f.origin} answered ${f.status}, a redirect to ${f.to}, which is never followed`,
    hint: 'give the address that it leads to, if you trust it with the signature',
    final: true,
    fault: 'machine',
  }),
  VID_WEBHOOK_UNREACHABLE: (f: { origin: string; attempts: number; reason: string }) => ({
    message: `the webhook at ${f.origin} took no result in ${f.attempts} attempts: ${f.reason}`,
    hint: 'see whether the address is up; attempts and timeoutMs say how long it is tried',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(deliverWebhookErrors)
