// Starts the endpoints for a test, a script or a person.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { node22 } from './node22.mjs'

/**
 * Starts the endpoints and waits until they answer.
 * @param {import('./start.d.mts').AwsOptions} [options]
 * @returns {Promise<import('./start.d.mts').Aws>}
 */
export const startAws = async (options = {}) => {
  const program = fileURLToPath(new URL('server.mjs', import.meta.url))
  const child = spawn(await node22(), ['--disable-warning=ExperimentalWarning', program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the endpoints of AWS ended with ${code}`))),
  ])
  const { endpoint, s3, region, accessKeyId, secretAccessKey, folder } = JSON.parse(line)
  const env = {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_S3: s3,
    AWS_ENDPOINT_URL_SFN: endpoint,
    AWS_ENDPOINT_URL_LAMBDA: endpoint,
    AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint,
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: endpoint,
  }
  /** Sees or changes what the services do not show: `state`, `rules`, `concurrency`, `age`, `output`, `logs`. */
  const control = async (name, value) => {
    const body = value === undefined ? undefined : JSON.stringify(value)
    const reply = await fetch(`${endpoint}/_control/${name}`, { method: 'POST', body })
    if (!reply.ok) throw new Error(`${name}: ${await reply.text()}`)
    return reply.json()
  }
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.stdin.end()
    await gone
  }
  return { env, endpoint, folder, pid: child.pid, control, close }
}
