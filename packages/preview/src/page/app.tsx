import { Sidebar } from './panels/sidebar.tsx'
import { KeyList } from './parts/key-list.tsx'
import { Notices } from './parts/notices.tsx'
import { Stage } from './stage/stage.tsx'
import { StageBar } from './stage/stage-bar.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { Transport } from './transport/transport.tsx'

/** The whole page. */
export const App = () => (
  <>
    <StageBar />
    <main class="workspace">
      <Stage />
      <Transport />
      <Timeline />
    </main>
    <Sidebar />
    <Notices />
    <KeyList />
  </>
)
