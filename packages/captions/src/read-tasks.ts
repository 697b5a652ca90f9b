import { readTasksOf } from '@vid/kernel'
import { plannedCaptions } from './film/planned-captions.ts'

const define = readTasksOf(import.meta.url, 'read-tasks.js')

/** Reads the files of the tracks of a film, and writes the captions of its plan. */
export const plannedCaptionsTask = define('plannedCaptionsTask', plannedCaptions)
