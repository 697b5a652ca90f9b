import { escapeHtml } from '@vid/protocol'
import { charactersIn, type Placed, type SheetPage } from './layout.ts'
import type { SheetTile, StillPicture, TilePicture } from './sheet.ts'

/** Factor by which differences are made brighter. */
export const DIFFERENCE_FACTOR = 8

const shorten = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

const box = ({ x, y, width, height }: Omit<Placed, 'content'>) =>
  `left:${x}px;top:${y}px;width:${width}px;height:${height}px`

/** Moves and enlarges a picture, so that a part of it fills its tile. */
const partStyle = ({ part }: StillPicture): string => {
  if (!part) return ''
  const { area, page } = part
  const percent = (value: number) => `${(value * 100).toFixed(3)}%`
  const place = `left:${percent(-area.x / area.width)};top:${percent(-area.y / area.height)}`
  return ` style="${place};width:${percent(page.width / area.width)};height:${percent(page.height / area.height)}"`
}

const pictureHtml = (picture: TilePicture | undefined): string => {
  if (!picture) return '<div class="none"></div>'
  if ('file' in picture) return `<img src="${escapeHtml(picture.file)}"${partStyle(picture)}>`
  return `<div class="difference"><img src="${escapeHtml(picture.before)}"><img class="after" src="${escapeHtml(picture.after)}"></div>`
}

/** Least size of a frame around a part, in pixels of the sheet: a letter is framed too. */
const MIN_MARK = 10

const marksHtml = ({ marks }: SheetTile, { width, height }: Omit<Placed, 'content'>): string =>
  (marks?.list ?? [])
    .map(({ area, level }) => {
      const scale = width / (marks?.page.width ?? width)
      const wide = Math.max(MIN_MARK, area.width * scale + 4)
      const high = Math.max(MIN_MARK, area.height * scale + 4)
      const left = Math.min(width - 4, Math.max(4 - wide, (area.x + area.width / 2) * scale - wide / 2))
      const top = Math.min(height - 4, Math.max(4 - high, (area.y + area.height / 2) * scale - high / 2))
      return `<i class="mark ${level}" style="${box({ x: Math.round(left), y: Math.round(top), width: Math.round(wide), height: Math.round(high) })}"></i>`
    })
    .join('')

const tileHtml = (place: Omit<Placed, 'content'>, tile: SheetTile): string => {
  const { picture, title, note } = tile
  const line = charactersIn(place.width)
  const texts = `<b>${escapeHtml(shorten(title, line))}</b><span>${escapeHtml(shorten(note, 2 * line))}</span>`
  const label = `<div class="label" style="left:${place.x}px;top:${place.y + place.height + 5}px;width:${place.width}px">${texts}</div>`
  return `<div class="picture" style="${box(place)}">${pictureHtml(picture)}${marksHtml(tile, place)}</div>${label}`
}

const placedHtml = ({ content, ...place }: Placed): string =>
  'heading' in content
    ? `<div class="heading" style="${box(place)}">${escapeHtml(shorten(content.heading, charactersIn(place.width)))}</div>`
    : tileHtml(place, content.tile)

const STYLE = `
  #sheet { background: #f3f3f1; color: #17191c; font: 14px/19px sans-serif }
  #sheet > div { position: absolute }
  .picture { overflow: hidden; background: repeating-conic-gradient(#c9c9c9 0 25%, #fff 0 50%) 0 0 / 16px 16px; outline: 1px solid #0003 }
  .picture img, .none { position: absolute; left: 0; top: 0; width: 100%; height: 100%; object-fit: contain }
  .none { background: #ddd }
  .difference { position: absolute; inset: 0; isolation: isolate; background: #000; filter: brightness(${DIFFERENCE_FACTOR}) }
  .after { mix-blend-mode: difference }
  .mark { position: absolute; box-sizing: border-box; border: 3px solid; border-radius: 3px; outline: 1px solid #fff }
  .mark.error { border-color: #e11d2e }
  .mark.warning { border-color: #f08a00 }
  .mark.note { border-color: #2b7de9 }
  .label b, .label span { display: block; overflow-wrap: anywhere }
  .label b { font-size: 15px }
  .label span { color: #4a4f57; font-size: 13px; line-height: 17px }
  .heading { font: bold 18px/30px sans-serif }`

/** A composition of one frame that shows a page of a sheet. */
export const pageHtml = ({ width, height, placed }: SheetPage): string => `<!doctype html><meta charset="utf-8">
<style>${STYLE}</style>
<div id="sheet" data-composition-id="sheet" data-width="${width}" data-height="${height}" data-duration="0.04" data-no-timeline>
${placed.map(placedHtml).join('\n')}
</div>
`
