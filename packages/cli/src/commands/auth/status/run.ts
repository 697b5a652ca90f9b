import { apiUrlOf, createCloudClient, resolveCredential } from '@vid/client'
import { type CloudUser, printable } from '@vid/kernel'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { createReport } from '../../../report.ts'

const secondsText = (seconds: number) => `${Number(seconds.toFixed(1))} s`

const statusText = (url: string, source: string, { email, name, user_id, credential, billing, limits }: CloudUser) => {
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

/** `vid auth status`: prints the credential in use, as the API knows it. */
export const runAuthStatus = async (rawFlags: RawFlags, { env, signal, ...context }: CliContext): Promise<void> => {
  const report = createReport({
    ...context,
    env,
    json: rawFlags.json === true,
    quiet: rawFlags.quiet === true,
  })
  const url = apiUrlOf(env)
  const { credential, source, expiresAtMs } = await resolveCredential({ env, url })
  const client = createCloudClient({ url, credential })
  try {
    const user = await client.me({ signal })
    const expires_at = expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString()
    report.event({ type: 'auth-status', url, source, expires_at, user })
    report.result(statusText(url, source, user))
  } finally {
    await client.close()
  }
}
