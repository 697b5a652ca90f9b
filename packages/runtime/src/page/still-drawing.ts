import { natives } from './natives.ts'

/** So much slower that hours of real time move nothing by a part of a pixel. */
const SLOWER = 1e6

const TIMES = ['begin', 'end', 'dur', 'repeatDur', 'min', 'max']
const STILL = '*{animation-play-state:paused!important;transition:none!important}'

const UNITS: Readonly<Record<string, number>> = { h: 3600, min: 60, s: 1, ms: 1e-3 }

/** Seconds of a clock value: `1:02:03.5`, `02:03.5`, or a number with or without a unit. */
const secondsOf = (clock: string): number => {
  const [, amount, unit = 's'] = /^([\d.]+)(h|min|ms|s)?$/.exec(clock) ?? []
  if (amount !== undefined) return Number(amount) * (UNITS[unit] ?? 1)
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}

const CLOCK = /(^|[;+-]\s*|\s)(\d+(?::\d+){1,2}(?:\.\d+)?|\d*\.?\d+(?:h|min|ms|s)?)(?=\s*(?:;|$))/g

const slow = (value: string): string =>
  value.replace(CLOCK, (_, before: string, clock: string) => `${before}${secondsOf(clock) * SLOWER}s`)

/** A drawing file that shows its first frame for ever; undefined when it cannot be read. */
export const writeStill = (text: string): Blob | undefined => {
  const drawing = new DOMParser().parseFromString(text, 'image/svg+xml')
  const root = drawing.documentElement
  if (root.localName !== 'svg' || drawing.querySelector('parsererror')) return undefined
  for (const element of drawing.querySelectorAll('animate,animateColor,animateMotion,animateTransform,set'))
    for (const name of TIMES) {
      const value = element.getAttribute(name)
      if (value !== null) element.setAttribute(name, slow(value))
    }
  const style = drawing.createElementNS('http://www.w3.org/2000/svg', 'style')
  style.textContent = STILL
  root.append(style)
  return new natives.Blob([new XMLSerializer().serializeToString(drawing)], { type: 'image/svg+xml' })
}
