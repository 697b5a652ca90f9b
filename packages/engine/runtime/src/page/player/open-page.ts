import type { MediaFacts } from '../../contract/media.ts'
import type { PageHost } from '../../contract/page-host.ts'
import type { ProbeReport } from '../../contract/probe.ts'
import type { PendingPart } from '../../contract/readiness.ts'
import { natives } from '../realm/natives.ts'
import type { MediaServer } from './media-server.ts'
import { browser } from './player-natives.ts'
import { type Emit, fault } from './port.ts'

/** Longest time without any progress of a page's pending loads, in milliseconds. */
const IDLE_MS = 30_000

/** Pause between two checks of the page: short at first, since most pages are ready at once. */
const pauseMs = (checks: number): number => Math.min(25, 1 + checks)

const wait = (ms: number) =>
  new Promise<void>((resolve) => {
    natives.setTimeout(resolve, ms)
  })

/** The report of a page that has begun. */
export interface OpenedPage {
  readonly probe: ProbeReport
  readonly facts: Readonly<Record<string, MediaFacts | null>>
}

/** Waits until the page is ready, passes it the facts of its media, and begins it. */
export const openPage = async (host: PageHost, media: MediaServer, emit: Emit): Promise<OpenedPage> => {
  const facts: Record<string, MediaFacts | null> = {}
  let before = ''
  let since = browser.now()
  for (let checks = 0; ; checks++) {
    const { ready, pending } = host.readiness()
    if (ready) return { probe: host.begin(), facts }
    const sources = pending.flatMap(({ reason, detail }) => (reason === 'media' ? detail : []))
    const entries = await Promise.all(sources.map(async (src) => [src, await media.facts(src)] as const))
    if (entries.length > 0) host.setMediaFacts(Object.assign(facts, Object.fromEntries(entries)))
    const now = describe(pending)
    if (now !== before) {
      emit('pending', pending)
      before = now
      since = browser.now()
    }
    if (browser.now() - since > IDLE_MS)
      throw fault('not-ready', `the composition is not ready: it waits for ${now}`, { pending })
    await wait(pauseMs(checks))
  }
}

const describe = (pending: readonly PendingPart[]) =>
  pending.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
