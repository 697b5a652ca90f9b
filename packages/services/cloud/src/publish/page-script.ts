import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { playerModule } from '@vid/player/prepare'

/** Path of the player's module. */
export const PLAYER_PATH = '/p/player.js'

let script: { readonly text: string; readonly version: string } | undefined

/** Reads the module of the player; the version changes with its text. */
export const readPlayer = (): { readonly text: string; readonly version: string } => {
  if (!script) {
    const text = readFileSync(playerModule, 'utf8')
    script = { text, version: createHash('sha256').update(text).digest('hex').slice(0, 16) }
  }
  return script
}

/** Path of the script that plays HLS where a browser does not. */
export const HLS_PATH = '/p/hls.js'

/** The part of a page's script that has HLS played where the browser cannot; only then the player is loaded. */
export const hlsScript = (): string => `
if (document.querySelector('video[data-hls]')?.canPlayType('application/vnd.apple.mpegurl') === '') import('${HLS_PATH}')
`

/** How often a page checks for the video, in milliseconds. */
const NEWS_MS = 10_000

/** Milliseconds after which the page gives up on a composition that shows nothing. */
const GIVE_UP_MS = 30_000

/**
 * The script of a composition's page. It shows the video if the composition does not play, gives the player the
 * composition's aspect ratio, and checks whether the video has been rendered.
 */
export const playPageScript = (): string => `
import '${PLAYER_PATH}?v=${readPlayer().version}'
const player = document.querySelector('vid-player')
const give = (up) => {
  clearTimeout(giveUpTimer)
  if (up && player.readyState < 4 && player.childElementCount > 0) player.replaceWith(...player.childNodes)
}
const giveUpTimer = setTimeout(give, ${GIVE_UP_MS}, true)
player.addEventListener('error', () => give(true))
player.addEventListener('canplay', () => give(false))
player.addEventListener('loadedmetadata', () =>
  player.style.setProperty('--ratio', player.videoWidth / player.videoHeight))
const news = async () => {
  const delivery = document.querySelector('.delivery')
  if (!delivery.hasAttribute('data-waiting')) return
  const reply = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined)
  if (reply?.status === 404) return location.reload()
  const next = reply?.ok && new DOMParser().parseFromString(await reply.text(), 'text/html')
  for (const part of next ? ['.delivery', '.facts'] : [])
    document.querySelector(part).replaceWith(next.querySelector(part))
  setTimeout(news, ${NEWS_MS})
}
setTimeout(news, ${NEWS_MS})
`
