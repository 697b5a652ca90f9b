import { test } from 'vitest'
import { expectSameFile } from '../support/engines.ts'

test.each(['begin-frame', 'raster'])(
  'frame-number is the same file with either engine on the same browser, in the lane %s',
  (lane) => expectSameFile('frame-number', lane),
)
