import { colourSample } from '../fixtures/colour-grid.ts'
import { testExtractedColours } from '../fixtures/extracted-colours.ts'

testExtractedColours(colourSample())
