import type { PageSize } from './player-page.ts'

const CSS = `
:host{display:inline-block;position:relative;overflow:hidden;width:300px;aspect-ratio:2;max-width:100%;vertical-align:bottom}
:host([hidden]){display:none}
.stage{position:absolute;inset:0;overflow:hidden;container-type:inline-size}
.sheet{position:absolute;transform-origin:0 0;pointer-events:none}
video{position:absolute;inset:0;width:100%;height:100%;object-fit:contain;pointer-events:none}
iframe{position:absolute;inset:0;border:0;color-scheme:light;background:transparent}
.captions{position:absolute;inset:auto 8% 14%;display:grid;justify-items:center;gap:.25em;font:600 clamp(13px,3.6cqi,40px)/1.3 system-ui,sans-serif;color:#fff;text-align:center;pointer-events:none}
.captions>*{padding:.1em .5em;border-radius:.2em;white-space:pre-wrap;unicode-bidi:plaintext;background:rgb(0 0 0/.75)}
.poster{position:absolute;inset:0;width:100%;height:100%;object-fit:contain}
.poster:not([src]){display:none}
`

/** Where a player shows its composition: as large as fits, in the middle. */
export interface PlayerStage {
  /** What iframes are put into, in the composition's own size. */
  readonly sheet: HTMLElement
  readonly shadow: ShadowRoot
  /** All of the picture, as large as the player. */
  readonly picture: HTMLElement
  setSize(size: PageSize): void
  /** Shows an image above the composition; an empty address shows none. */
  setPoster(src: string): void
  close(): void
}

/** Creates the stage in the shadow tree of a player. */
export const createStage = (host: HTMLElement): PlayerStage => {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const rules = new CSSStyleSheet()
  const stageSheet = new CSSStyleSheet()
  rules.replaceSync(CSS)
  shadow.adoptedStyleSheets = [rules, stageSheet]
  const stage = document.createElement('div')
  stage.className = 'stage'
  stage.part.add('stage')
  const sheet = document.createElement('div')
  sheet.className = 'sheet'
  const poster = document.createElement('img')
  poster.className = 'poster'
  poster.alt = ''
  stage.append(sheet, poster)
  shadow.prepend(stage)
  let size: PageSize = { width: 1920, height: 1080 }
  const place = () => {
    const { clientWidth, clientHeight } = stage
    const scale = Math.min(clientWidth / size.width, clientHeight / size.height)
    // Whole pixels: at a part of one, the white behind an iframe shows.
    const width = Math.round(size.width * scale)
    const height = Math.round(size.height * scale)
    const left = Math.round((clientWidth - width) / 2)
    const top = Math.round((clientHeight - height) / 2)
    const { style } = sheet
    style.width = `${size.width}px`
    style.height = `${size.height}px`
    // Without a transform at its own size, so that its pixels are those of the composition.
    style.transform = scale === 1 ? '' : `scale(${width / size.width}, ${height / size.height})`
    style.left = `${left}px`
    style.top = `${top}px`
  }
  const observer = new ResizeObserver(place)
  observer.observe(stage)
  place()
  return {
    sheet,
    shadow,
    picture: stage,
    setSize(dimensions) {
      size = dimensions
      stageSheet.replaceSync(`:host{width:${size.width}px;aspect-ratio:${size.width}/${size.height}}`)
      place()
    },
    setPoster(src) {
      if (src) poster.src = src
      else poster.removeAttribute('src')
    },
    close() {
      observer.disconnect()
      stage.remove()
    },
  }
}
