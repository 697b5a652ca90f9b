import { eventProblems as problemsAmong } from '@vid/protocol'
import { analysisEvents } from '../../packages/authoring/analysis/src/events.ts'
import { assistantEvents } from '../../packages/authoring/assistant/src/commands/events.ts'
import { checkEvents } from '../../packages/authoring/check/src/events.ts'
import { editEvents } from '../../packages/authoring/edit/src/commands/events.ts'
import { speechEvents } from '../../packages/authoring/speech/src/commands/events.ts'
import { captionEvents } from '../../packages/engine/captions/src/commands/events.ts'
import { cliEvents } from '../../packages/engine/cli/src/commands/events.ts'
import { cloudEvents } from '../../packages/services/client/src/contract/cloud-events.ts'
import { adminEvents } from '../../packages/services/cloud/src/commands/admin-events.ts'
import { containerEvents } from '../../packages/services/container/src/commands/events.ts'
import { lambdaEvents } from '../../packages/services/lambda/src/commands/shared/lambda-events.ts'
import { producerEvents } from '../../packages/services/producer/src/commands/events.ts'

/** The events that packages add to those of every installation. */
export const addedEvents = [
  ...analysisEvents,
  ...assistantEvents,
  ...captionEvents,
  ...checkEvents,
  ...cliEvents,
  ...cloudEvents,
  ...adminEvents,
  ...containerEvents,
  ...editEvents,
  ...lambdaEvents,
  ...producerEvents,
  ...speechEvents,
] as const

/** Problems of a value as an event of any package; empty when it is one. */
export const eventProblems = (value: unknown): string[] => problemsAmong(value, addedEvents)
