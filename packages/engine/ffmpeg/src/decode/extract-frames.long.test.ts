import { frameGrid } from '../fixtures/frame-grid.ts'
import { testFrameNumbers } from '../fixtures/shown-frame-numbers.ts'

testFrameNumbers(frameGrid())
