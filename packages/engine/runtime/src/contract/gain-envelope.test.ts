import { describe, expect, it } from 'vitest'
import { type GainEnvelope, gainAtTime } from './gain-envelope.ts'

const WINDOW = { start: 1, end: 5 }

const gains = (envelope: GainEnvelope, times: readonly number[], volume = 1) =>
  times.map((time) => Number(gainAtTime(envelope, WINDOW, volume, time).toFixed(4)))

const decibels = (gain: number) => 20 * Math.log10(gain)

describe('gainAtTime', () => {
  it('rises and falls on a straight line', () => {
    const fade = { seconds: 2, curve: 'linear' } as const
    expect(gains({ fadeIn: fade }, [1, 1.5, 2, 3, 4], 0.5)).toEqual([0, 0.125, 0.25, 0.5, 0.5])
    expect(gains({ fadeOut: fade }, [1, 3, 4, 4.5, 5])).toEqual([1, 1, 0.5, 0.25, 0])
  })

  it('keeps the power of two tracks that fade into each other', () => {
    const fade = { seconds: 2, curve: 'equal-power' } as const
    for (const passed of [0.2, 1, 1.7]) {
      const rising = gainAtTime({ fadeIn: fade }, WINDOW, 1, 1 + passed)
      const falling = gainAtTime({ fadeOut: fade }, WINDOW, 1, 3 + passed)
      expect(rising ** 2 + falling ** 2).toBeCloseTo(1, 6)
    }
  })

  it('falls by equal decibels in equal times', () => {
    const fadeOut = { seconds: 3, curve: 'exponential' } as const
    const levels = [2, 3, 4].map((time) => decibels(gainAtTime({ fadeOut }, WINDOW, 1, time)))
    expect(levels.map((level) => Number(level.toFixed(3)) + 0)).toEqual([0, -20, -40])
    expect(gainAtTime({ fadeOut }, WINDOW, 1, 5)).toBe(0)
  })

  it('fades where the element is heard, not where it is hidden', () => {
    const fade = { seconds: 1, curve: 'linear' } as const
    const window = { ...WINDOW, heardFrom: 2, heardUntil: 4 }
    expect(gainAtTime({ fadeIn: fade }, window, 1, 2.5)).toBeCloseTo(0.5)
    expect(gainAtTime({ fadeOut: fade }, window, 1, 3.75)).toBeCloseTo(0.25)
  })

  it('does not fade out of a sound without an end', () => {
    const fadeOut = { seconds: 1, curve: 'linear' } as const
    expect(gainAtTime({ fadeOut }, { start: 0, end: Infinity }, 1, 9)).toBe(1)
  })

  it('joins keyframes, which replace the volume, by straight lines', () => {
    const points = [
      [0, 0],
      [1, 0.8],
      [1, 0.4],
      [3, 0.2],
    ] as const
    expect(gains({ points }, [0, 1, 1.5, 2, 3, 4, 9], 3)).toEqual([0, 0, 0.4, 0.4, 0.3, 0.2, 0.2])
  })

  it('is lowered before the other track begins, and returns after its end', () => {
    const ducks = [{ start: 2, end: 3, depth: 20, attack: 0.5, release: 1 }]
    const levels = [1, 1.5, 1.75, 2, 2.9, 3, 3.5, 4].map((time) => decibels(gainAtTime({ ducks }, WINDOW, 1, time)))
    expect(levels.map((level) => Number(level.toFixed(3)) + 0)).toEqual([0, 0, -10, -20, -20, -20, -10, 0])
  })

  it('is lowered by the deepest of several, not by their sum', () => {
    const duck = { start: 2, end: 3, depth: 6, attack: 0, release: 0 }
    const ducks = [duck, { ...duck, depth: 12 }]
    expect(decibels(gainAtTime({ ducks }, WINDOW, 1, 2.5))).toBeCloseTo(-12)
    expect(gainAtTime({ ducks }, WINDOW, 1, 3)).toBe(1)
  })

  it('multiplies the gain of its bus', () => {
    expect(gains({ bus: 0.5 }, [2], 0.8)).toEqual([0.4])
  })
})
