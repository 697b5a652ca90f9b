import { describe, expect, it } from 'vitest'
import { readBusVolumes, readSoundAttributes } from './sound-attributes.ts'

const read = (attributes: Readonly<Record<string, string>>) => readSoundAttributes((name) => attributes[name] ?? null)

describe('readSoundAttributes', () => {
  it('reads fades, keyframes, ducking, bus and pan', () => {
    const { attributes, problems } = read({
      'data-fade-in': '1.5',
      'data-fade-out': ' .5  equal-power ',
      'data-volume': '0:0, 1.5 : 0.8',
      'data-duck-under': '#voice',
      'data-duck': '9',
      'data-bus': 'music',
      'data-pan': '-0.25',
    })
    expect(problems).toEqual([])
    expect(attributes).toEqual({
      fadeIn: { seconds: 1.5, curve: 'linear' },
      fadeOut: { seconds: 0.5, curve: 'equal-power' },
      points: [
        [0, 0],
        [1.5, 0.8],
      ],
      ducking: { under: '#voice', depth: 9, attack: 0.2, release: 0.5 },
      bus: 'music',
      pan: -0.25,
    })
  })

  it('says nothing about an element without them, or with a plain volume', () => {
    expect(read({ 'data-volume': '0.5', 'data-start': '0' })).toEqual({ attributes: {}, problems: [] })
  })

  it.each([
    ['data-fade-in', '0'],
    ['data-fade-in', '-1'],
    ['data-fade-in', '1 slow'],
    ['data-fade-out', '1s'],
    ['data-fade-out', '1 linear 2'],
    ['data-volume', '0:0, 2:5'],
    ['data-volume', '2:1, 1:0'],
    ['data-volume', '0:1:2'],
    ['data-volume', 'a:b'],
    ['data-duck-under', ' '],
    ['data-duck', '61'],
    ['data-duck-attack', '-0.1'],
    ['data-duck-release', 'soon'],
    ['data-bus', 'my music'],
    ['data-pan', '1.5'],
    ['data-pan', '0x1'],
  ])('leaves out %s="%s" and names it', (name, value) => {
    const { attributes, problems } = read({ [name]: value })
    expect(attributes).toEqual({})
    expect(problems).toEqual([expect.objectContaining({ name, value })])
  })
})

describe('readBusVolumes', () => {
  it('reads the gain of each bus', () => {
    expect(readBusVolumes('music: 0.5, voice:1')).toEqual(
      new Map([
        ['music', 0.5],
        ['voice', 1],
      ]),
    )
  })

  it.each(['', 'music', 'music:9', 'music:0.5:1', 'a b:1'])('refuses "%s"', (text) => {
    expect(readBusVolumes(text)).toBeUndefined()
  })
})
