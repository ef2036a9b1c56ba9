export { emitEvents } from './store.ts'
