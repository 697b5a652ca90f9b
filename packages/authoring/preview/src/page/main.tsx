import '@vid/player'
import { render } from 'preact'
import { PreviewApp } from './app.tsx'
import './style/system.css'
import './style/layout.css'
import './style/stage.css'
import './style/timeline.css'
import './style/panels.css'
import { connectToServer } from './state/start.ts'

const place = document.querySelector('#page')
if (place) render(<PreviewApp />, place)
connectToServer()
