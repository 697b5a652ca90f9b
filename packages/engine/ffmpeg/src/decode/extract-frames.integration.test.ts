import { frameSample } from '../fixtures/frame-grid.ts'
import { testFrameNumbers } from '../fixtures/shown-frame-numbers.ts'

testFrameNumbers(frameSample())
