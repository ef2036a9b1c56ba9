/** Icons with lines of 1.75 on a grid of 24, drawn for svc. Each is one path. */
const PATHS = {
  home: 'M4 11.5 12 4l8 7.5V20h-5.5v-5.5h-5V20H4z',
  activity: 'M3 12.5h4l3-8 4.5 15 3-7H21',
  memory: 'M6 4h9l3 3v13H6zM9 10h6M9 13.5h6M9 17h3.5',
  graph:
    'M6.5 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M17.5 11a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M9.5 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M9 6.7l6 1.3M7.2 8.4l1.6 7.2M11.3 16.3l4.6-5.8',
  chat: 'M4 5h16v11h-8l-4.5 4v-4H4z',
  connect: 'M9 7V3.5M15 7V3.5M7 7h10v5a5 5 0 0 1-10 0zM12 17v3.5',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c.5-3.5 3-5.5 6.5-5.5s6 2 6.5 5.5M15.5 4.8a3.5 3.5 0 0 1 0 6.4M17.5 14.9c2.2.6 3.6 2.3 4 5.1',
  automation: 'M13 3 5 13.5h6L10.5 21 19 10.5h-6z',
  billing: 'M5 20V11M10 20V5M15 20v-7M20 20V8.5',
  settings:
    'M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4M12 3v2.5M12 18.5V21M3 12h2.5M18.5 12H21M5.6 5.6l1.8 1.8M16.6 16.6l1.8 1.8M18.4 5.6l-1.8 1.8M7.4 16.6l-1.8 1.8',
  admin: 'M12 3.5 19 6v6c0 4.5-3 7.3-7 8.5-4-1.2-7-4-7-8.5V6zM9 12l2.2 2.2L15.2 10',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M7 10l5 5 5-5',
  back: 'M14 6l-6 6 6 6',
  next: 'M10 6l6 6-6 6',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.3 15.3 20 20',
  copy: 'M9 9h10v11H9zM6 15H5V4h10v2',
  more: 'M6 12.6a.6.6 0 1 0 0-1.2.6.6 0 0 0 0 1.2M12 12.6a.6.6 0 1 0 0-1.2.6.6 0 0 0 0 1.2M18 12.6a.6.6 0 1 0 0-1.2.6.6 0 0 0 0 1.2',
  edit: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  branch: 'M7 20V4M7 14c0-4 10-2 10-8M14 8l3-3.5L20 8M4.5 6.5 7 4l2.5 2.5',
  restore: 'M5 12a7 7 0 1 1 2.2 5.1M5 5v5h5',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  upload: 'M12 16V4.5M7 9l5-5 5 5M4.5 16v4h15v-4',
  download: 'M12 4v11.5M7 11l5 5 5-5M4.5 16v4h15v-4',
  pin: 'M9 4h6l-1 6 3 3.5H7L10 10zM12 13.5V20.5',
  archive: 'M4 5h16v4H4zM5.5 9v11h13V9M10 13h4',
  send: 'M4 12 20 4.5 15 20l-3.5-6.5z',
  stop: 'M7 7h10v10H7z',
  mic: 'M12 14.5a3 3 0 0 0 3-3v-5a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3M6 11.5a6 6 0 0 0 12 0M12 17.5V21',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4',
  alert: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.3h.01',
  info: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 11v5M12 8h.01',
  external: 'M14 5h5v5M19 5l-8.5 8.5M17 13.5V19H5V7h5.5',
  key: 'M8 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M11.5 12H21v3.5M17 12v2.5',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 7.5V12l3 2',
  tag: 'M4 4.5h7.5L20 13l-7 7-8.5-8.5zM8 8.5h.01',
  filter: 'M4 6h16M7 12h10M10 18h4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5c.5-4 3.3-6 7.5-6s7 2 7.5 6',
  mail: 'M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5',
  share: 'M12 14V4M8 7.5 12 3.5l4 4M6 11H5v9.5h14V11h-1',
  file: 'M6 3.5h8l4 4v13H6zM14 3.5V8h4',
  globe:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M3.8 12h16.4M12 3.5c5 5.5 5 11.5 0 17-5-5.5-5-11.5 0-17',
  play: 'M8 5.5v13l10.5-6.5z',
  sign_out: 'M14 5H5v14h9M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5',
} as const

export type IconName = keyof typeof PATHS

/** Decorative: the control has a text or a label. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
)

/** The mark of svc: three memories and the links between them. */
export const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="var(--accent)" />
    <g stroke="var(--on-accent)" fill="var(--on-accent)" strokeWidth="2">
      <path d="M10 11 22 13.5M10 11l5 11.5M22 13.5 15 22.5" fill="none" />
      <circle cx="10" cy="11" r="3" />
      <circle cx="22" cy="13.5" r="2.5" />
      <circle cx="15" cy="22.5" r="2.5" />
    </g>
  </svg>
)
