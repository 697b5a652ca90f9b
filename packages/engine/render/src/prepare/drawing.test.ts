import { expect, test } from 'vitest'
import { chooseDrawing, travellingDrawing } from './drawing.ts'

const ofThisMachine = { browserGpu: true, raster: 'native' } as const
const ofEveryMachine = { browserGpu: false, raster: 'portable' } as const

test('what draws pages is what the caller asks for, then what the config says', () => {
  expect(chooseDrawing({}, {}, { configFrom: 'project' })).toEqual({})
  expect(chooseDrawing({}, ofThisMachine, { configFrom: 'project' })).toEqual(ofThisMachine)
  expect(chooseDrawing(ofEveryMachine, ofThisMachine, { configFrom: 'project' })).toEqual(ofEveryMachine)
})

test('a server and a plan that travels take nothing of one machine, unless somebody insists on it', () => {
  for (const drawing of [{}, { browserGpu: 'auto', raster: 'auto' } as const]) {
    expect(chooseDrawing(drawing, {}, { configFrom: 'cwd' })).toEqual(ofEveryMachine)
    expect(travellingDrawing(drawing)).toEqual(ofEveryMachine)
  }
  expect(chooseDrawing({}, ofThisMachine, { configFrom: 'cwd' })).toEqual(ofThisMachine)
  expect(travellingDrawing(ofThisMachine)).toEqual(ofThisMachine)
})
