import { type ResultText, tableText, timeText } from '@vid/command'
import type { ListedRender } from '../../renders/list-renders.ts'

/** Formats renders as a table, latest first. */
export const renderListText = ({
  renders,
  hasMore,
}: {
  readonly renders: readonly ListedRender[]
  readonly hasMore: boolean
}): ResultText => {
  const rows = renders.map(({ renderId, status, startedAt, endedAt }) => [
    renderId,
    status,
    timeText(startedAt),
    timeText(endedAt),
  ])
  return {
    lines: rows.length === 0 ? [] : tableText(['render', 'status', 'started', 'ended'], rows),
    after: [
      ...(rows.length === 0 ? ['no renders'] : []),
      ...(hasMore ? ['there are more: --limit N lists N of them, --all lists all'] : []),
    ],
  }
}
