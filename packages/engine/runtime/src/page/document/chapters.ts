import { MAX_CHAPTER_TITLE, type PageChapter } from '../../contract/chapters.ts'
import type { TimeWindows } from './windows.ts'
import { isIncluded, windowsAround } from './windows-around.ts'

/** The chapters among elements: those of clips that are shown. */
export const listChapters = (elements: readonly Element[], windows: Pick<TimeWindows, 'of'>): PageChapter[] =>
  elements.flatMap((element): PageChapter[] => {
    const text = (element.getAttribute('data-chapter') ?? '').trim().replaceAll(/\s+/g, ' ')
    const title = [...text].slice(0, MAX_CHAPTER_TITLE).join('')
    const around = windowsAround(element, windows)
    const start = Math.max(0, ...around.map((window) => window.start))
    const end = Math.min(...around.map((window) => window.end))
    return title !== '' && start < end && isIncluded(element) ? [{ title, start }] : []
  })
