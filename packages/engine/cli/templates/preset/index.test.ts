import { expect, test } from 'vitest'
import preset from './index.ts'

test('sets its render settings under its name', () => {
  expect(preset()).toEqual({ name: 'template', render: { quality: 'high', fps: 60 } })
})
