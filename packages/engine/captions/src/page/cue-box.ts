import type { TimedUnit } from '../breaks/unit-times.ts'
import type { Cue } from '../model/cue.ts'
import { isDuring } from './active-cues.ts'
import type { Mode, TimedPage } from './layout.ts'

/** The elements of a page of a cue. */
export interface CueBox {
  readonly element: HTMLElement
  /** Shows the state of its words at a time. */
  update(seconds: number): void
}

/** Seconds in which a word of the style pop grows. */
const POP_SECONDS = 0.18

/** A growth from 0 to 1 that goes a little too far before its end. */
const popAt = (part: number): number => 1 + 2.7 * (part - 1) ** 3 + 1.7 * (part - 1) ** 2

const RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u

/** The direction of a text, by its first letter. */
const directionOf = (text: string): 'rtl' | 'ltr' =>
  RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'

const createElement = (tag: string, name: string): HTMLElement => {
  const element = document.createElement(tag)
  element.className = `vid-captions-${name}`
  return element
}

const stateOf = (unit: TimedUnit, seconds: number): 'past' | 'now' | 'next' => {
  if (isDuring(unit, seconds)) return 'now'
  return seconds < unit.start ? 'next' : 'past'
}

const setProperty = (element: HTMLElement, name: string, value: string): void => {
  if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value)
}

/** Shows one word at a time. */
const updateWord = (element: HTMLElement, unit: TimedUnit, mode: Mode, seconds: number): void => {
  const state = stateOf(unit, seconds)
  if (element.dataset.state !== state) element.dataset.state = state
  if (mode === 'karaoke') {
    const part = (seconds - unit.start) / Math.max(unit.end - unit.start, 1e-3)
    setProperty(
      element,
      '--spoken',
      state === 'now' ? `${Math.round(Math.max(0, Math.min(part, 1)) * 1000) / 10}%` : '',
    )
  }
  if (mode === 'pop') {
    const part = Math.max(0, Math.min((seconds - unit.start) / POP_SECONDS, 1))
    setProperty(element, 'scale', part === 1 ? '' : `${Math.round(popAt(part) * 1000) / 1000}`)
  }
}

/** Creates the elements of a page: a box with lines, and in them the words where they have states. */
export const createCueBox = (cue: Cue, page: TimedPage, mode: Mode, language: string | undefined): CueBox => {
  const element = createElement('div', 'cue')
  element.dir = directionOf(cue.text)
  if (language) element.lang = language
  if (cue.speaker !== undefined) element.dataset.speaker = cue.speaker
  const words: { readonly element: HTMLElement; readonly unit: TimedUnit }[] = []
  for (const units of page.lines) {
    const line = createElement('div', 'line')
    for (const [index, unit] of units.entries()) {
      const space = unit.hasSpace && index < units.length - 1 ? ' ' : ''
      if (mode === 'line' || mode === 'phrase') {
        line.append(unit.text + space)
        continue
      }
      const word = createElement('span', 'word')
      word.textContent = unit.text
      line.append(word, space)
      words.push({ element: word, unit })
    }
    line.normalize()
    element.append(line)
  }
  return {
    element,
    update(seconds) {
      for (const word of words) updateWord(word.element, word.unit, mode, seconds)
    },
  }
}
