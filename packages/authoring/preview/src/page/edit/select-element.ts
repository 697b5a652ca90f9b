import { batch } from '@preact/signals'
import type { CheckFinding } from '@vid/check/events'
import type { TimelineClip } from '../model/clip-rows.ts'
import { select, selectedKeys, shownClips } from '../state/timeline.ts'
import { panel } from '../state/view.ts'
import { type PickedElement, picked } from './inspection.ts'

/** What is selected: a clip where the element is one. */
export interface Selection {
  readonly clip?: TimelineClip | undefined
  readonly picked?: PickedElement | undefined
}

/** Selects an element alone, or nothing, and shows what its source holds. */
export const selectElement = ({ clip, picked: element }: Selection, showsPanel = true): void =>
  batch(() => {
    const isSelected = clip && selectedKeys.value.length === 1 && selectedKeys.value[0] === clip.key
    if (!isSelected) {
      selectedKeys.value = []
      if (clip) select(clip.key)
    }
    picked.value = clip ? null : (element ?? null)
    if (showsPanel && (clip || element)) panel.value = 'element'
  })

/** Selects the element that something is about, as far as it is known; the panel stays. */
export const selectWhere = ({ element, file, line }: Omit<CheckFinding['where'], 'box'>): void => {
  const id = element?.startsWith('#') && !/\s/.test(element) ? element : undefined
  const clip = shownClips.value.find(({ id: clipId, source }) =>
    id ? clipId === id.slice(1) : source && source.file === file && source.line === line,
  )
  const place = file !== null && line !== null ? { file, line } : undefined
  const target = id ?? place
  selectElement({ clip, picked: target ? { target, path: null, selector: element } : undefined }, false)
}
