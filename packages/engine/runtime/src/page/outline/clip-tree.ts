import type { PlayerClip } from '../../contract/player.ts'
import { compositionOf } from '../document/root.ts'
import type { Page } from '../page.ts'

/** Selects every timed element. */
export const TIMED = '[data-start],[data-composition-src]'

const nameOf = (element: Element): string => {
  const names = ['data-name', 'data-label', 'data-composition-id', 'id']
    .map((name) => element.getAttribute(name)?.trim())
    .find(Boolean)
  const file = element.getAttribute('src')?.split(/[?#]/)[0]?.split('/').at(-1)
  return names ?? (file || element.localName)
}

const kindOf = (element: Element): PlayerClip['kind'] => {
  if (element.localName === 'video' || element.localName === 'audio') return element.localName
  const isComposition = element.hasAttribute('data-composition-id') || element.hasAttribute('data-composition-src')
  return isComposition ? 'composition' : 'element'
}

const trackOf = (element: Element): number =>
  Number(element.getAttribute('data-track-index') ?? element.getAttribute('data-layer') ?? 0) || 0

/** The timed elements of the page, each below the composition that embeds it. */
export const readClips = ({ windows, media, find }: Page): readonly PlayerClip[] => {
  const root = document.querySelector('[data-vid-root]')
  const { of } = windows()
  const isShadowed = (element: Element) => Number(element.getRootNode() !== document)
  // Those of shadow trees come last: the others are numbered as in the text of the composition.
  const timed = find(TIMED).sort((a, b) => isShadowed(a) - isShadowed(b))
  const below = new Map<Element, PlayerClip[]>()
  const top: PlayerClip[] = []
  for (const [index, element] of timed.entries()) {
    const window = of.get(element)
    if (element === root || !window) continue
    const clips: PlayerClip[] = []
    below.set(element, clips)
    const clip: PlayerClip = {
      kind: kindOf(element),
      id: element.id,
      tag: element.localName,
      index,
      name: nameOf(element),
      track: trackOf(element),
      start: window.start,
      end: Number.isFinite(window.end) ? window.end : null,
      mediaId: media.idOf(element) ?? null,
      clips,
    }
    let around = compositionOf(element)
    while (around && !below.has(around)) around = compositionOf(around)
    const siblings = around && below.get(around)
    ;(siblings ?? top).push(clip)
  }
  return top
}
