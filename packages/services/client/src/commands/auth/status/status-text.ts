import { printable } from '@vid/protocol'
import type { CloudUser } from '../../../contract/index.ts'

interface Status {
  readonly url: string
  readonly source: string
  readonly user: CloudUser
}

const secondsText = (seconds: number) => `${Number(seconds.toFixed(1))} s`

/** Formats the credential in use and the account that the API reports for it, one fact a line. */
export const statusText = ({ url, source, user }: Status): string => {
  const { email, name, user_id, credential, billing, limits } = user
  const kind = credential === 'oauth' ? 'sign-in' : 'API key'
  const limit = billing.limit_seconds === null ? 'no limit' : `of ${secondsText(billing.limit_seconds)}`
  const from = billing.period_start.slice(0, 10)
  const to = billing.period_end.slice(0, 10)
  return [
    `api              ${url}`,
    `credential       ${kind}, from ${source}`,
    `user             ${[email, name, user_id].filter(Boolean).join(', ')}`,
    `period           ${from} to ${to}`,
    `rendered         ${secondsText(billing.rendered_seconds)} of video`,
    `billed           ${secondsText(billing.billed_seconds)}, ${limit}`,
    `limits           ${limits.open_renders} renders at once, ${limits.upload_bytes} bytes an upload, ${limits.requests_per_minute} requests a minute`,
  ]
    .map(printable)
    .join('\n')
}
