import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { frameSample } from '../fixtures/frame-grid.ts'
import { testFrameNumbers } from '../fixtures/shown-frame-numbers.ts'

testFrameNumbers(partOf(frameSample(), 6))
