// Compositions that harm the browser or encoder that renders them, beside one of another client that must succeed.
import { descendants, kill, waitFor } from '../../../../e2e/long/support/processes.mjs'
import { connect, jsonOf } from './client.mjs'
import { page } from './server.mjs'

const STRIKE_MS = 60_000

const script = (code) => page('red', `<script>${code}</script>`, 20)

/** Renders hostile HTML beside a good composition; returns the outcome of both. */
const beside = async ({ url, pid }, html, { strike, ...settings } = {}) => {
  const bad = connect(url)
  const good = connect(url)
  const request = { quality: 'draft', ...settings }
  const hostile = bad.json('POST', '/render', jsonOf({ html, ...request }))
  const struck = strike
    ? waitFor(() => {
        const victims = descendants(pid).filter(({ command }) => strike.test(command))
        for (const victim of victims.slice(0, 1)) kill(victim.pid)
        return victims.length > 0
      }, STRIKE_MS)
    : undefined
  // Only what belongs to the hostile render may be struck.
  await struck
  const other = await good.json('POST', '/render', jsonOf({ html: page('blue'), quality: 'draft' }))
  const reply = await hostile
  bad.close()
  good.close()
  return { reply, other }
}

const judge = ({ reply, other }, codes) => [
  ...(codes.includes(reply.body.error?.code ?? 'completed')
    ? []
    : [`ended as ${JSON.stringify(reply.body).slice(0, 300)}`]),
  ...(other.status === 200 ? [] : [`the other client got ${JSON.stringify(other.body).slice(0, 300)}`]),
]

/** Each attack returns what went wrong; the server renders two at once. */
export const renderAttacks = {
  'a page that loops for ever': async (server) =>
    judge(await beside(server, script('for (;;);'), { timeoutMs: 15_000 }), [
      'VID_PRODUCER_DEADLINE',
      'VID_PAGE_UNRESPONSIVE',
    ]),
  'a page that takes all memory': async (server) => {
    const hostile = script('const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))')
    const ends = ['VID_PRODUCER_DEADLINE', 'VID_PAGE_UNRESPONSIVE', 'VID_BROWSER_CRASHED', 'VID_PAGE_CRASHED']
    return judge(await beside(server, hostile, { timeoutMs: 60_000 }), ends)
  },
  'a page whose browser is killed': async (server) => {
    const hostile = page('red', '', 10)
    return judge(await beside(server, hostile, { strike: /headless_shell --window/ }), [
      'completed',
      'VID_BROWSER_CRASHED',
    ])
  },
  'an encoder that is killed': async (server) =>
    judge(await beside(server, page('red', '', 10), { strike: /ffmpeg.*rawvideo/ }), [
      'completed',
      'VID_ENCODER_KILLED',
      'VID_FFMPEG_FAILED',
    ]),
}
