import { createHtmlPage, type Html, type HtmlPage, html } from '../pages/html.ts'
import type { ResultUrls } from '../renders/result-addresses.ts'
import { hlsScript, playPageScript } from './page-script.ts'
import { PAGES_PATH, type PublishedRender } from './publications.ts'

/** Limits on the variables of a page: characters of a value, and number of variables. */
const MAX_VALUE = 500
const MAX_VARIABLES = 50
const REFRESH_SECONDS = 10

const bytesText = (bytes: number): string =>
  bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

const lengthText = (seconds: number): string => {
  if (seconds < 60) return `${Number(seconds.toFixed(2))} s`
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`
}

const valueText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

const facts = (rows: readonly (readonly [string, string])[]): Html =>
  html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

const factsOf = ({ duration, width, height, video_bytes: bytes, request }: PublishedRender): Html => {
  const facts = [
    request.format.toUpperCase(),
    ...(duration === null ? [] : [lengthText(duration)]),
    ...(width === null || height === null ? [] : [`${width} × ${height}`]),
    ...(bytes === null ? [] : [bytesText(bytes)]),
  ]
  return html`<p class="facts">${facts.join(' · ')}</p>`
}

const variablesOf = ({ request }: PublishedRender): Html => {
  const rows = Object.entries(request.variables).slice(0, MAX_VARIABLES)
  if (rows.length === 0) return html``
  return html`<details><summary>Variables</summary>${facts(rows.map(([name, value]) => [name, valueText(value)]))}</details>`
}

const STATES = {
  queued: 'The video waits to be rendered.',
  rendering: 'The video is being rendered.',
  failed: 'The video could not be rendered.',
} as const

const isWaiting = ({ status }: PublishedRender): boolean => status === 'queued' || status === 'rendering'

/** The part that changes while the page is open. */
const deliveryOf = (published: PublishedRender, { video_url }: ResultUrls): Html => {
  const { status } = published
  if (status !== 'completed') {
    const waitingAttribute = isWaiting(published) ? html` data-waiting` : html``
    return html`<p class="delivery" role="status"${waitingAttribute}>${STATES[status]}</p>`
  }
  if (video_url === null) return html`<p class="delivery" role="status"></p>`
  return html`<p class="delivery" role="status"><a href="${video_url}" download>Download the video</a></p>`
}

/** The picture before the video is played: the poster if one was requested. */
const stillOf = ({ poster_url: poster, thumbnail_url: thumbnail }: ResultUrls): string | null => poster ?? thumbnail

const posterOf = (addresses: ResultUrls): Html => {
  const still = stillOf(addresses)
  return still === null ? html`` : html` poster="${still}"`
}

const videoOf = ({ title, request }: PublishedRender, addresses: ResultUrls, preload: 'none' | 'metadata'): Html => {
  const { video_url, playlist_url } = addresses
  const still = stillOf(addresses)
  const picture = still === null ? html`` : html`<img src="${still}" alt="${title}">`
  if (video_url === null) return picture
  const poster = posterOf(addresses)
  // What is downloaded is a zip of the folder; what plays is its playlist.
  if (request.format === 'hls')
    return html`<video controls preload="${preload}" src="${playlist_url ?? ''}" data-hls="${playlist_url ?? ''}"${poster}>${picture}</video>`
  return html`<video controls preload="${preload}" src="${video_url}"${poster}>${picture}</video>`
}

/** Formats with alpha, whose transparent parts the page shows as the preview does. */
const ALPHA: ReadonlySet<string> = new Set(['mov', 'webm'])

const hasAlpha = ({ request }: PublishedRender): boolean => ALPHA.has(request.format)

/** The player, with the video as fallback for browsers in which it does not run. */
const pictureOf = (published: PublishedRender, addresses: ResultUrls, playUrl: string | undefined): Html => {
  if (playUrl === undefined) return videoOf(published, addresses, 'metadata')
  const poster = posterOf(addresses)
  const classAttribute = hasAlpha(published) ? html` class="seen"` : html``
  return html`<vid-player controls${classAttribute} aria-label="${published.title}" src="${playUrl}"${poster}>${videoOf(published, addresses, 'none')}</vid-player>`
}

/** The address of a composition on its own origin. */
export const playAddressOf = (published: PublishedRender, origin: string): string => {
  const path = published.request.composition.split('/').map(encodeURIComponent).join('/')
  return `${origin}/${path}${hasAlpha(published) ? '?vid-alpha=1' : ''}`
}

const originsOf = ({ video_url, thumbnail_url, poster_url, playlist_url }: ResultUrls): string[] => [
  ...new Set(
    [video_url, thumbnail_url, poster_url, playlist_url].flatMap((url) => (url === null ? [] : [new URL(url).origin])),
  ),
]

const HIDDEN = { 'x-robots-tag': 'noindex, nofollow' }

/** The page of a render; plays the composition at `playUrl` if present. */
export const publicationPage = (published: PublishedRender, addresses: ResultUrls, playUrl?: string): HtmlPage => {
  const { title } = published
  const content = html`<main class="video">
${pictureOf(published, addresses, playUrl)}
<header><div><h1>${title}</h1>${factsOf(published)}</div>${deliveryOf(published, addresses)}</header>
${variablesOf(published)}
</main>`
  const hls = published.request.format === 'hls' ? hlsScript() : undefined
  const scripts = [...(playUrl === undefined ? [] : [playPageScript()]), ...(hls === undefined ? [] : [hls])]
  const { body, headers } = createHtmlPage(title, content, {
    media: originsOf(addresses),
    ...(scripts.length > 0 && { script: scripts.join('\n') }),
    ...(playUrl !== undefined && { frames: [new URL(playUrl).origin] }),
    ...(hls !== undefined && { fetchesMedia: true }),
  })
  return {
    body,
    headers: {
      ...headers,
      ...(!published.public && HIDDEN),
      // A page with a player polls for the video instead of reloading.
      ...(isWaiting(published) && playUrl === undefined && { refresh: String(REFRESH_SECONDS) }),
    },
  }
}

/** The page for an address without a publication. */
export const missingPage = (): HtmlPage => {
  const content = html`<main><h1>There is no such video</h1>
<p>It was never here, or its owner has removed it.</p></main>`
  const { body, headers } = createHtmlPage('Not found', content)
  return { body, headers: { ...headers, ...HIDDEN } }
}

/** The list of public pages. */
export const publicPage = (
  videos: readonly { readonly token: string; readonly title: string; readonly created_at: Date }[],
): HtmlPage => {
  const rows = videos.map(
    ({ token, title, created_at: createdAt }) =>
      html`<li><a href="${PAGES_PATH}/${token}">${title}</a> <small>${createdAt.toISOString().slice(0, 10)}</small></li>`,
  )
  const list = rows.length === 0 ? html`<p>There are none yet.</p>` : html`<ul>${rows}</ul>`
  return createHtmlPage('Videos', html`<main><h1>Videos</h1>${list}</main>`)
}
