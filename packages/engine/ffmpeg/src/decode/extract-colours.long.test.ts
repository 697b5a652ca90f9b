import { colourGrid } from '../fixtures/colour-grid.ts'
import { testExtractedColours } from '../fixtures/extracted-colours.ts'

testExtractedColours(colourGrid())
