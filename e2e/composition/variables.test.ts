import { expect, test } from 'vitest'
import type { Patch } from '../support/colours.ts'
import { here } from '../support/vid.ts'
import { box, compare, renderAllWays, within } from '../support/ways.ts'

const project = here('projects/variables')

/** What scenes show whatever the command line says: their own defaults under the values of their hosts. */
const scenes = [
  box(0, 150, 40, 10, '#00ff00'),
  box(0, 160, 40, 10, '#ffffff'),
  box(110, 150, 20, 10, '#ffff00'),
  box(110, 160, 50, 10, '#ffffff'),
]

test('defaults reach scripts in the head, styles, text, sources and windows; scenes have their own', async () => {
  const { frames, stderr } = await renderAllWays(project)
  const scene = (t: number): Patch[] => [
    box(0, 0, 20, 20, '#ff0000'),
    ...(within(t, 0, 0.2) ? [box(0, 60, 20, 20, '#0000ff')] : []),
    box(0, 90, 10, 20, '#ffffff'),
    box(0, 120, 24, 20, '#ffffff'),
    box(150, 120, 20, 20, '#ff0000'),
    ...scenes,
  ]
  expect(frames).toHaveLength(15)
  expect(compare(frames, scene)).toEqual([])
  // The host of the second scene sets a value that is not declared.
  expect(stderr.match(/^warning .*/gm)).toEqual([expect.stringMatching(/VID_VARIABLE_UNDECLARED.*"more"/)])
})

test('overrides reach the top level alone, and one that is not declared is passed on', async () => {
  const values = { fill: '#0000ff', width: 60, shown: true, side: 'right', title: 'abcd', length: 0.3 }
  const overrides = { ...values, photo: 'blue.svg', extra: 50 }
  const { frames, stderr } = await renderAllWays(project, { variables: overrides })
  const scene = (t: number): Patch[] => [
    box(0, 0, 60, 20, '#0000ff'),
    box(200, 30, 60, 20, '#0000ff'),
    ...(within(t, 0, 0.3) ? [box(0, 60, 20, 20, '#0000ff')] : []),
    box(0, 90, 50, 20, '#ffffff'),
    box(0, 120, 48, 20, '#ffffff'),
    box(150, 120, 20, 20, '#0000ff'),
    ...scenes,
  ]
  expect(compare(frames, scene)).toEqual([])
  const warned = ['extra', 'more'].map((id) => expect.stringMatching(new RegExp(`VID_VARIABLE_UNDECLARED.*"${id}"`)))
  expect(stderr.match(/^warning .*/gm)).toEqual(warned)
})
