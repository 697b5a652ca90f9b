import type { CheckFinding } from '@vid/protocol'
import { selectWhere } from '../edit/select-element.ts'
import { chosenFinding } from './findings.ts'
import { seekToTime } from './seek-to.ts'
import { panel } from './view.ts'

/** Goes to the time of a finding, and selects its element. */
export const showFinding = (finding: CheckFinding): void => {
  chosenFinding.value = finding
  panel.value = 'problems'
  seekToTime(finding.from)
  selectWhere(finding.where)
}
