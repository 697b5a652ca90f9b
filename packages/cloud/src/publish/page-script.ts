import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { playerModule } from '@vid/player/prepare'

/** Where pages find the player. */
export const PLAYER_PATH = '/p/player.js'

let script: { readonly text: string; readonly version: string } | undefined

/** The module of the player, and what changes with its text. */
export const readPlayer = (): { readonly text: string; readonly version: string } => {
  if (!script) {
    const text = readFileSync(playerModule, 'utf8')
    script = { text, version: createHash('sha256').update(text).digest('hex').slice(0, 16) }
  }
  return script
}

/** How often a page asks whether the video is there, in milliseconds. */
const NEWS_MS = 10_000

/** Milliseconds after which a composition that shows nothing is given up. */
const GIVE_UP_MS = 30_000

/**
 * What runs in the page of a composition. It shows the video in place of a composition that does not play, gives the
 * player the shape of the composition, and looks whether the video has been rendered.
 */
export const pageScript = (): string => `
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
