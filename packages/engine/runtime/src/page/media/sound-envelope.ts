import type { Duck, GainEnvelope } from '../../contract/gain-envelope.ts'
import {
  type Ducking,
  readBusVolumes,
  readSoundAttributes,
  type SoundAttributes,
} from '../../contract/sound-attributes.ts'
import { chainOf } from '../document/flat-tree.ts'
import type { TimeWindow } from '../document/windows.ts'

/** What an envelope needs to know about the media of the page. */
export interface EnvelopeParts {
  /** All media elements that are in the mix. */
  heard(): readonly HTMLMediaElement[]
  /** When an element is heard, in seconds of the whole composition. */
  heardWindow(element: HTMLMediaElement): TimeWindow
  /** Whether a script has set the volume of an element, which replaces what its attributes say. */
  isScripted(element: Element): boolean
}

/** Reads the sound attributes of an element; unusable ones are left out, and lint names them. */
export const soundAttributesOf = (element: Element): SoundAttributes =>
  readSoundAttributes((name) => element.getAttribute(name)).attributes

/** The gain of a bus: what every composition around an element says about it. */
const busGain = (element: Element, bus: string): number => {
  let gain = 1
  for (const around of chainOf(element).slice(1))
    gain *= readBusVolumes(around.getAttribute('data-bus-volumes') ?? '')?.get(bus) ?? 1
  return gain
}

const matches = (element: Element, selector: string): boolean => {
  try {
    return element.matches(selector)
  } catch {
    return false // no selector: lint names it
  }
}

const ducksUnder = (
  element: HTMLMediaElement,
  { under, depth, attack, release }: Ducking,
  { heard, heardWindow }: EnvelopeParts,
): readonly Duck[] =>
  heard()
    .filter((other) => other !== element && matches(other, under))
    .map(heardWindow)
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ start, end, depth, attack, release }))

/** What the attributes of an element do to its gain; undefined where they leave it as it is. */
export const envelopeOf = (element: HTMLMediaElement, parts: EnvelopeParts): GainEnvelope | undefined => {
  const { points, fadeIn, fadeOut, ducking, bus } = soundAttributesOf(element)
  const ducks = ducking ? ducksUnder(element, ducking, parts) : []
  const gain = bus === undefined ? 1 : busGain(element, bus)
  const fades = parts.isScripted(element) ? {} : { ...(points && { points }), ...(fadeIn && { fadeIn }) }
  const envelope: GainEnvelope = {
    ...fades,
    ...(fadeOut && !parts.isScripted(element) && { fadeOut }),
    ...(ducks.length > 0 && { ducks }),
    ...(gain !== 1 && { bus: gain }),
  }
  return Object.keys(envelope).length > 0 ? envelope : undefined
}
