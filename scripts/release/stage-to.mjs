// Stages the packages as they are published: node scripts/release/stage-to.mjs FOLDER
import { stageRelease } from './stage.mjs'

stageRelease({ stage: process.argv[2] })
