import { fileURLToPath } from 'node:url'
import { findBrowser, launchFlags } from '@vid/browser'
import { createPreview, type Preview } from '@vid/preview'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'

/** A player in a browser window, which shows a composition of a running preview. */
export interface PausedPlayer {
  readonly page: Page
  readonly preview: Preview
  /** Shows a frame, and takes a picture of the player's place. */
  shot(frame: number): Promise<Buffer>
}

/** Flags about the process and its network; the others decide how pixels are drawn. */
const NOT_DRAWING = /proxy|host-(?:resolver-)?rules|headless|remote-debugging|window-size|user-data/

/** Opens a browser that draws as that of a render does, but has no fonts of its own. */
export const openBrowser = async (): Promise<Browser> => {
  const { path } = await findBrowser()
  const size = { width: 1920, height: 1080 }
  const flags = launchFlags({ frameControl: false, proxy: 'http://unused', kind: 'headless-shell', ...size })
  const args = [...flags.filter((flag) => !NOT_DRAWING.test(flag)), '--no-sandbox']
  const browser = await chromium.launch({ executablePath: path, args, timeout: BROWSER_PATIENCE_MS })
  onTestFinished(() => browser.close())
  return browser
}

/** The player as one script. */
const playerScript = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: "import '@vid/player'", resolveDir: fileURLToPath(new URL('../..', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'iife',
    splitting: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** Previews a project and shows one of its compositions in a player, in its own size. */
export const openPausedPlayer = async (browser: Browser, projectDir: string, entry: string): Promise<PausedPlayer> => {
  const preview = await createPreview({ projectDir })
  onTestFinished(() => preview.close())
  const page = await browser.newPage({ viewport: { width: 2000, height: 1200 } })
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  // An answer of the page's origin that is no page: its documents may show the compositions.
  await page.goto(`http://127.0.0.1:${preview.port}/none`)
  await page.addScriptTag({ content: await playerScript() })
  await page.evaluate(async (src) => {
    document.body.innerHTML = ''
    document.body.style.margin = '0'
    const player = document.createElement('vid-player') as HTMLElement & {
      error: unknown
      seekFrame(frame: number): Promise<void>
    }
    player.style.maxWidth = 'none'
    const ready = new Promise<void>((resolve, reject) => {
      player.addEventListener('loadeddata', () => resolve())
      player.addEventListener('error', () => reject(new Error(JSON.stringify(player.error))))
    })
    player.setAttribute('src', src)
    document.body.append(player)
    await ready
  }, `${preview.origin}/${entry}`)
  return {
    page,
    preview,
    async shot(frame) {
      const box = await page.evaluate(async (frame) => {
        const player = document.querySelector('vid-player') as HTMLElement & {
          seekFrame(frame: number): Promise<void>
        }
        await player.seekFrame(frame)
        const { x, y, width, height } = player.getBoundingClientRect()
        return { x, y, width, height }
      }, frame)
      return page.screenshot({ clip: box })
    },
  }
}
