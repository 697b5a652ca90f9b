import { Sidebar } from './panels/sidebar.tsx'
import { KeyList } from './parts/key-list.tsx'
import { Notices } from './parts/notices.tsx'
import { Splitter } from './parts/splitter.tsx'
import { Stage } from './stage/stage.tsx'
import { StageBar } from './stage/stage-bar.tsx'
import { type Resizable, sidebar, timelinePanel } from './state/panels.ts'
import { Timeline } from './timeline/timeline.tsx'
import { Transport } from './transport/transport.tsx'

const sizeOf = (name: string, { size, isFolded }: Resizable) => {
  if (isFolded) return { [name]: 'auto' }
  return size === null ? {} : { [name]: `${size}px` }
}

/** The whole page. */
export const PreviewApp = () => (
  <>
    <StageBar />
    <main class="workspace" style={sizeOf('--timeline', timelinePanel.value)}>
      <Stage />
      <Transport />
      <Splitter part={timelinePanel} name="the timeline" direction="row" />
      {!timelinePanel.value.isFolded && <Timeline />}
    </main>
    <aside class="side" aria-label="Panels" style={sizeOf('--side', sidebar.value)}>
      <Splitter part={sidebar} name="the panels" direction="column" />
      {!sidebar.value.isFolded && <Sidebar />}
    </aside>
    <Notices />
    <KeyList />
  </>
)
