import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

const PAGE = readFileSync(new URL('../../../../../../docs/clocks.md', import.meta.url), 'utf8')

/** Members that tell a time; constants of interfaces and handlers that every element has do not. */
const TIMED =
  /time(?!out$)|Timeout|^timeout$|timeline|duration|interval$|latency|playbackRate|frameCount|requestAnimationFrame|VideoFrameCallback/i
const UNTIMED = /^on|^[A-Z_]+$|^dateTime$|randomized|readTimeout/i
/** Interfaces with such a member that is a setting of a drawing, of text or of a request, and no clock. */
const NO_CLOCKS = new Set(['AnimationTrigger', 'Document', 'DOMException', 'TimelineTriggerRange'])

it('each interface of the browser that tells a time is on the page about clocks', async () => {
  const page = await start(composition(''))
  const interfaces = await page.read<[string, string[]][]>(`Object.getOwnPropertyNames(window)
    .filter((name) => /^[A-Z]/.test(name) && typeof window[name] === 'function' && window[name].prototype)
    .map((name) => [name, [...Object.getOwnPropertyNames(window[name].prototype), ...Object.getOwnPropertyNames(window[name])]])`)
  expect(interfaces.length).toBeGreaterThan(500)
  const missing = interfaces
    .map(([name, members]) => [name, members.filter((member) => TIMED.test(member) && !UNTIMED.test(member))] as const)
    .filter(([name, members]) => members.length > 0 && !NO_CLOCKS.has(name) && !PAGE.includes(`\`${name}\``))
    .map(([name, members]) => `${name}: ${members.join()}`)
  expect(missing).toEqual([])
})
