import { createRenderer, type Renderer, type RenderOutcome, type RenderSettings } from '@vid/render'
import { afterAll, beforeAll } from 'vitest'

/** What a render made, with its warnings as the command prints them. */
interface Rendered extends RenderOutcome {
  readonly warned: string
}

/** Renders with settings in place of a command line; rejects where the command would fail. */
type Render = (settings: RenderSettings) => Promise<Rendered>

/** Browsers that stay open: as many as the renders of tests have workers. */
const IDLE = { browsers: 3, ms: 60_000 }

/** Opens a renderer whose renders have browsers to themselves, which stay open for the next; closed by the caller. */
export const openRenders = async (): Promise<{ readonly render: Render; readonly close: () => Promise<void> }> => {
  const renderer: Renderer = await createRenderer({ isolated: true, idle: IDLE })
  return {
    async render(settings) {
      const outcome = await renderer.render(settings)
      return {
        ...outcome,
        warned: outcome.warnings.map(({ code, message }) => `warning ${code}: ${message}\n`).join(''),
      }
    },
    close: renderer.close,
  }
}

/**
 * Renders of all tests of a file, which use the same browsers: starting one is a third of what a short render costs.
 * For tests of what is made, not of the command that makes it.
 */
export const rendersOfFile = (): Render => {
  let opened: Awaited<ReturnType<typeof openRenders>>
  beforeAll(async () => {
    opened = await openRenders()
  })
  afterAll(() => opened.close())
  return (settings) => opened.render(settings)
}
