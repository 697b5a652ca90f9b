import { natives } from '../realm/natives.ts'

/**
 * Factor that slows down animations that cannot be ended, so that hours of real time move them by less than a pixel.
 */
const SLOWDOWN = 1e8

const LENGTHS = ['dur', 'repeatDur', 'min', 'max']
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
  value.replace(CLOCK, (_, before: string, clock: string) => `${before}${secondsOf(clock) * SLOWDOWN}s`)

/** A clock value that does not refer to another animation or an event. */
const PLAIN = /^\s*([+-]?)\s*(\d[\d.:]*(?:h|min|ms|s)?|\.\d+(?:h|min|ms|s)?)\s*$/

/** Seconds of such a value, with its sign. */
const offsetOf = (part: string): number | undefined => {
  const [, sign, clock] = PLAIN.exec(part) ?? []
  return clock === undefined ? undefined : secondsOf(clock) * (sign === '-' ? -1 : 1)
}

const ANIMATIONS = 'animate,animateColor,animateMotion,animateTransform,set'

/** Start and duration of a drawing's animation; undefined if they depend on other animations or on events. */
const timingOf = (element: Element) => {
  const begins = (element.getAttribute('begin') ?? '0').split(';').map(offsetOf)
  const read = (name: string, otherwise: number) => {
    const value = element.getAttribute(name)?.trim()
    return value === undefined || value === 'indefinite' || value === 'media' ? otherwise : secondsOf(value)
  }
  const count = element.getAttribute('repeatCount')?.trim()
  const repeats = count === 'indefinite' ? Number.POSITIVE_INFINITY : Number(count ?? 1)
  const dur = read('dur', Number.POSITIVE_INFINITY)
  const repeatDur = read('repeatDur', Number.POSITIVE_INFINITY)
  const isRepeated = count === undefined && element.hasAttribute('repeatDur')
  const length = Math.min(isRepeated ? repeatDur : dur * repeats, repeatDur)
  const isLimited = ['end', 'min', 'max'].some((name) => element.hasAttribute(name)) || Number.isNaN(length)
  if (isLimited || begins.includes(undefined)) return undefined
  const starts = (begins as number[]).sort((one, other) => one - other)
  const isOverlapping = starts.some((start, index) => index > 0 && start - (starts[index - 1] ?? 0) < length)
  if (isOverlapping) return undefined
  return {
    starts,
    length,
    isFrozen: element.getAttribute('fill') === 'freeze',
    isMoving: Number.isFinite(dur),
  }
}

/**
 * Whether a still can be written for any time of a drawing: its animations depend neither on each other nor on events.
 */
const canAdvance = (drawing: Document): boolean => {
  const targets = new Set<string>()
  const animations = [...drawing.querySelectorAll(ANIMATIONS)]
  return animations.every((element) => {
    const parents = [...drawing.querySelectorAll('*')]
    const target = element.getAttribute('href') ?? element.getAttribute('xlink:href')
    const name = element.localName === 'animateMotion' ? 'motion' : element.getAttribute('attributeName')
    const key = `${target ?? parents.indexOf(element.parentElement as Element)} ${name}`
    const isFirst = !targets.has(key)
    targets.add(key)
    const timing = timingOf(element)
    // If two animations freeze one attribute, the later one wins, and stills do not preserve that order.
    return (
      timing !== undefined && (isFirst || !animations.some((animation) => animation.getAttribute('fill') === 'freeze'))
    )
  })
}

/** Seconds of real time after which a run of this length has just ended, within numeric precision. */
const justNow = (length: number): number => Math.max(1e-5, length * 1e-15)

/** An end in seconds just after that of the previous run; exactly at the end, that run's last picture would stay. */
const BEHIND = 1e-7

/** Digits of a clock value: nanoseconds. */
const DIGITS = 9

/** Seconds as a clock value, which has no exponent. */
const duration = (seconds: number): string => `${seconds.toFixed(DIGITS)}s`

/** The start of a slowed-down animation of this length that ends just now. */
const endingNow = (length: number): string => duration(justNow(length * SLOWDOWN) - length * SLOWDOWN)

/** Ends an animation that started some seconds ago, so that it stays as it is instead of following the real clock. */
const stop = (element: Element, elapsed: number) => {
  // Rounded like the written value: the slowdown could otherwise end it before the drawing begins, without effect.
  const length = Number((elapsed + BEHIND).toFixed(DIGITS))
  element.removeAttribute('repeatCount')
  // Without the slowdown, which follows.
  element.setAttribute('repeatDur', duration(length))
  element.setAttribute('fill', 'freeze')
  element.setAttribute('begin', endingNow(length))
}

/** Freezes an animation in its state after some seconds. */
const advanceOne = (element: Element, seconds: number) => {
  const timing = timingOf(element)
  if (!timing) return
  const { starts, length, isFrozen, isMoving } = timing
  const last = starts.filter((start) => start <= seconds).at(-1)
  const isOver = last !== undefined && last + length <= seconds
  // An animation that has ended before the drawing begins has no effect, so a frozen one ends just now.
  if (isOver && isFrozen) return element.setAttribute('begin', endingNow(length))
  if (last !== undefined && !isOver && isMoving) return stop(element, seconds - last)
  element.setAttribute('begin', starts.map((start) => duration((start - seconds) * SLOWDOWN)).join(';'))
}

const stylesOf = (rules: CSSRuleList): CSSStyleDeclaration[] =>
  [...rules].flatMap((rule) => [
    ...(rule instanceof CSSStyleRule ? [rule.style] : []),
    ...('cssRules' in rule && !(rule instanceof CSSKeyframesRule) ? stylesOf(rule.cssRules as CSSRuleList) : []),
  ])

/** Shifts the start of CSS animations back by some seconds. */
const advance = (style: CSSStyleDeclaration, seconds: number) => {
  if (style.animationDelay === '') return
  const delays = style.animationDelay.split(/,(?![^(]*\))/).map((delay) => `calc(${delay} - ${seconds}s)`)
  style.setProperty('animation-delay', delays.join(','), style.getPropertyPriority('animation-delay'))
}

const advanceStyles = (drawing: Document, seconds: number) => {
  for (const element of drawing.querySelectorAll('style')) {
    if (!element.textContent?.includes('animation')) continue
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(element.textContent)
    for (const style of stylesOf(sheet.cssRules)) advance(style, seconds)
    element.textContent = [...sheet.cssRules].map(({ cssText }) => cssText).join('\n')
  }
  for (const { style } of drawing.querySelectorAll<SVGElement>('[style*="animation"]')) advance(style, seconds)
}

/** The text of a drawing file, ready to be written as stills; undefined when it cannot be read. */
const readDrawing = (text: string): Document | undefined => {
  const drawing = new DOMParser().parseFromString(text, 'image/svg+xml')
  const isDrawing = drawing.documentElement.localName === 'svg' && !drawing.querySelector('parsererror')
  return isDrawing ? drawing : undefined
}

/** An animated drawing, as stills. */
interface Drawing {
  /** False when only its first picture can be written. */
  readonly canAdvance: boolean
  /** A file that permanently shows the drawing's state after some seconds. */
  write(seconds: number): Blob
}

/** Reads a drawing; undefined when it cannot be read. */
export const openStills = (text: string): Drawing | undefined => {
  const original = readDrawing(text)
  if (!original) return undefined
  const mayAdvance = canAdvance(original)
  return {
    canAdvance: mayAdvance,
    write(seconds) {
      const drawing = original.cloneNode(true) as Document
      for (const element of drawing.querySelectorAll(ANIMATIONS)) {
        if (mayAdvance) advanceOne(element, seconds)
        for (const name of mayAdvance ? LENGTHS : [...LENGTHS, 'begin', 'end']) {
          const value = element.getAttribute(name)
          if (value !== null) element.setAttribute(name, slow(value))
        }
      }
      advanceStyles(drawing, seconds)
      const style = drawing.createElementNS('http://www.w3.org/2000/svg', 'style')
      // Animations without a delay of their own take that of the first rule.
      style.textContent = `:where(*){animation-delay:${-seconds}s}${STILL}`
      drawing.documentElement.prepend(style)
      const file = new XMLSerializer().serializeToString(drawing)
      return new natives.Blob([file], { type: 'image/svg+xml' })
    },
  }
}
