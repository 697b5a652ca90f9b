import { createPage, type Html, html, type Page } from '../pages/html.ts'
import { PAGES_PATH, type PublishedRender } from './publications.ts'

/** Most characters of the value of a variable, and most variables, that a page shows. */
const MAX_VALUE = 500
const MAX_VARIABLES = 50
const REFRESH_SECONDS = 10

/** Fresh addresses of what a page shows. */
export interface PageAddresses {
  readonly video_url: string | null
  readonly thumbnail_url: string | null
}

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

const factsOf = ({ duration, width, height, video_bytes: bytes, request }: PublishedRender): Html =>
  facts([
    ...(duration === null ? [] : [['Length', lengthText(duration)] as const]),
    ...(width === null || height === null ? [] : [['Picture', `${width} × ${height}`] as const]),
    ...(bytes === null ? [] : [['Size', bytesText(bytes)] as const]),
    ['Format', request.format],
  ])

const variablesOf = ({ request }: PublishedRender): Html => {
  const rows = Object.entries(request.variables).slice(0, MAX_VARIABLES)
  if (rows.length === 0) return html``
  return html`<h2>Variables</h2>${facts(rows.map(([name, value]) => [name, valueText(value)]))}`
}

const STATES = {
  queued: 'It waits to be rendered; this page looks again by itself.',
  rendering: 'It is being rendered; this page looks again by itself.',
  failed: 'It could not be rendered.',
} as const

const mediaOf = ({ status, title }: PublishedRender, { video_url, thumbnail_url }: PageAddresses): Html => {
  if (status !== 'completed') return html`<p>${STATES[status]}</p>`
  const picture = thumbnail_url === null ? html`` : html`<img src="${thumbnail_url}" alt="${title}">`
  if (video_url === null) return picture
  const poster = thumbnail_url === null ? html`` : html` poster="${thumbnail_url}"`
  return html`<video controls preload="metadata" src="${video_url}"${poster}>${picture}</video>
<p><a href="${video_url}">Download the video</a></p>`
}

const originsOf = ({ video_url, thumbnail_url }: PageAddresses): string[] => [
  ...new Set([video_url, thumbnail_url].flatMap((url) => (url === null ? [] : [new URL(url).origin]))),
]

const HIDDEN = { 'x-robots-tag': 'noindex, nofollow' }

/** The page of a render. */
export const publicationPage = (published: PublishedRender, addresses: PageAddresses): Page => {
  const { title, status } = published
  const content = html`<main><h1>${title}</h1>
${mediaOf(published, addresses)}
${factsOf(published)}
${variablesOf(published)}
</main>`
  const { body, headers } = createPage(title, content, { media: originsOf(addresses) })
  const isWaiting = status === 'queued' || status === 'rendering'
  return {
    body,
    headers: {
      ...headers,
      ...(!published.public && HIDDEN),
      ...(isWaiting && { refresh: String(REFRESH_SECONDS) }),
    },
  }
}

/** The page of an address behind which there is nothing, or no longer. */
export const missingPage = (): Page => {
  const content = html`<main><h1>There is no such video</h1>
<p>It was never here, or its owner has removed it.</p></main>`
  const { body, headers } = createPage('Not found', content)
  return { body, headers: { ...headers, ...HIDDEN } }
}

/** The list of pages that everybody may find. */
export const publicPage = (
  videos: readonly { readonly token: string; readonly title: string; readonly created_at: Date }[],
): Page => {
  const rows = videos.map(
    ({ token, title, created_at: made }) =>
      html`<li><a href="${PAGES_PATH}/${token}">${title}</a> <small>${made.toISOString().slice(0, 10)}</small></li>`,
  )
  const list = rows.length === 0 ? html`<p>There are none yet.</p>` : html`<ul>${rows}</ul>`
  return createPage('Videos', html`<main><h1>Videos</h1>${list}</main>`)
}
