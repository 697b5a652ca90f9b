import type { CheckFinding } from '@vid/check/events'
import { selectWhere } from '../edit/select-element.ts'
import { seekToTime } from '../state/seek-to.ts'
import { panel } from '../state/view.ts'
import { chosenFinding } from './findings.ts'

/** Goes to the time of a finding, and selects its element. */
export const showFinding = (finding: CheckFinding): void => {
  chosenFinding.value = finding
  panel.value = 'problems'
  seekToTime(finding.from)
  selectWhere(finding.where)
}
