import { describe, expect, it } from 'vitest'
import { GRADING_PRESETS, gradeColour, readGrading } from '../index.ts'
import { ADJUSTMENT_LIMITS } from './grading.ts'

const read = (grading: unknown, variables = {}) => readGrading(JSON.stringify(grading), variables)

describe('the grading of a picture', () => {
  it('has the presets that compositions use', () => {
    const names = ['neutral', 'warm-daylight', 'clean-studio', 'mono-clean', 'vintage-wash', 'deep-contrast']
    expect(Object.keys(GRADING_PRESETS)).toEqual(names)
    expect(read({ preset: 'neutral' })).toBeNull()
    for (const preset of names.slice(1)) expect(read({ preset })).toMatchObject({ intensity: 1 })
  })

  it('prefers an explicit correction to the preset, and keeps the others', () => {
    const { saturation, ...others } = GRADING_PRESETS['mono-clean'] ?? {}
    expect(saturation).toBe(-1)
    expect(read({ preset: 'mono-clean', adjust: { saturation: 0.25 } })?.adjust).toMatchObject({
      ...others,
      saturation: 0.25,
    })
    expect(read({ preset: 'mono-clean', adjust: { saturation: 0 } })?.adjust.saturation).toBe(0)
  })

  it.each(Object.entries(ADJUSTMENT_LIMITS))('clamps %s at %d', (field, limit) => {
    expect(read({ adjust: { [field]: 99 } })?.adjust).toMatchObject({ [field]: limit })
    expect(read({ adjust: { [field]: -99 } })?.adjust).toMatchObject({ [field]: -limit })
  })

  it('clamps the intensity, and shows nothing at 0', () => {
    expect(read({ preset: 'mono-clean', intensity: 7 })?.intensity).toBe(1)
    expect(read({ preset: 'mono-clean', intensity: -1 })).toBeNull()
  })

  it.each(['', '{', '[]', '"neutral"', 'null', '7', '{"adjust":{"exposure":"much"}}', '{"preset":"constructor"}'])(
    'is none for %s',
    (text) => {
      expect(readGrading(text, {})).toBeNull()
    },
  )

  it('replaces a whole value by the variable of that name, at any depth', () => {
    const variables = { look: 'mono-clean', amount: 0.5, stops: '1.5', mine: { exposure: 1 } }
    const grading = { preset: '$look', intensity: `$\{amount}`, adjust: { exposure: '$stops' } }
    expect(read(grading, variables)).toMatchObject({
      intensity: 0.5,
      adjust: { exposure: 1.5, saturation: -1 },
    })
    expect(read({ adjust: '$mine' }, variables)?.adjust.exposure).toBe(1)
  })

  it('leaves a longer string and an unknown name as they are', () => {
    const variables = { look: 'clean', stops: 1 }
    expect(read({ preset: 'mono-$look' }, variables)).toBeNull()
    expect(read({ preset: `mono-$\{look}` }, variables)).toBeNull()
    expect(read({ adjust: { exposure: '$stops$stops' } }, variables)).toBeNull()
    expect(read({ adjust: { exposure: '$toString' } }, variables)).toBeNull()
  })

  it('turns light, warmth and colour in the direction that their names say', () => {
    const after = (adjust: object) => {
      const grading = read({ adjust })
      if (!grading) throw new Error('no grading')
      return gradeColour(grading, [0.6, 0.5, 0.4])
    }
    expect(after({ exposure: 1 })[1]).toBeGreaterThan(0.65)
    expect(after({ temperature: 1 })[0]).toBeGreaterThan(0.6)
    expect(after({ temperature: 1 })[2]).toBeLessThan(0.4)
    expect(after({ tint: 1 })[1]).toBeLessThan(0.5)
    const [red, green, blue] = after({ saturation: -1 })
    expect([green, blue]).toEqual([expect.closeTo(red, 9), expect.closeTo(red, 9)])
    expect(after({ vibrance: 1 })[0] - after({ vibrance: 1 })[2]).toBeGreaterThan(0.25)
  })
})
