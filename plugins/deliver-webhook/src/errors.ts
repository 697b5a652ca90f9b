import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Every error of this plugin; none contains more of the URL than its origin. */
export const deliverWebhookErrors = {
  VID_WEBHOOK_URL: (f: { origin: string; problem: string }) => ({
    message: `The webhook's URL at ${f.origin} cannot be used: ${f.problem}.`,
    hint: 'Use an https URL without a user name; http is allowed for this machine only.',
    fault: 'caller',
  }),
  VID_WEBHOOK_HEADER: (f: { name: string }) => ({
    message: `The webhook's header "${f.name}" has a name or a value that HTTP does not allow.`,
    hint: 'Remove line breaks and characters beyond Latin-1.',
    fault: 'caller',
  }),
  VID_WEBHOOK_REFUSED: (f: { origin: string; status: number }) => ({
    message: `The webhook at ${f.origin} rejected the result with status ${f.status}.`,
    hint: 'Check the URL, the headers and the shared secret.',
    final: true,
    fault: 'machine',
  }),
  VID_WEBHOOK_REDIRECTED: (f: { origin: string; status: number; to: string }) => ({
    message: `The webhook at ${f.origin} answered with status ${f.status}, a redirect to ${f.to}; redirects are not followed.`,
    hint: 'Use the target of the redirect as the URL, if you trust it with the signature.',
    final: true,
    fault: 'machine',
  }),
  VID_WEBHOOK_UNREACHABLE: (f: { origin: string; attempts: number; reason: string }) => ({
    message: `The webhook at ${f.origin} did not accept the result in ${f.attempts} attempts: ${f.reason}.`,
    hint: 'Check that the server is up; the options attempts and timeoutMs limit the retries.',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(deliverWebhookErrors)
