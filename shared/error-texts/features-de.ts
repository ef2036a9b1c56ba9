import type { Texts } from '../error-texts.ts'

/** German error messages of what accounts use. */
export const FEATURE_ERRORS_DE: Texts = {
  'This response began outside of the organization, with memories that are not its own; begin a new conversation':
    'Diese Antwort hat außerhalb der Organisation begonnen, mit Erinnerungen, die nicht ihre sind; beginne eine neue Unterhaltung',
  // Tiers and payments
  'This requires the tier {0}; the account has {1}':
    'Das erfordert den Tarif {0}; das Konto hat {1}',
  'The tier {0} does not include {1}; {2} does': 'Der Tarif {0} enthält {1} nicht, {2} schon',
  'You have used {0} of {1} messages this month on the tier {2}; the quota resets on {3}':
    'Du hast diesen Monat {0} von {1} Nachrichten des Tarifs {2} verbraucht; das Kontingent beginnt neu am {3}',
  'You have used {0} of {1} urls this month on the tier {2}; the quota resets on {3}':
    'Du hast diesen Monat {0} von {1} Webseiten des Tarifs {2} verbraucht; das Kontingent beginnt neu am {3}',
  'You have used {0} of {1} emails this month on the tier {2}; the quota resets on {3}':
    'Du hast diesen Monat {0} von {1} E-Mails des Tarifs {2} verbraucht; das Kontingent beginnt neu am {3}',
  'You have used {0} of {1} transcriptions this month on the tier {2}; the quota resets on {3}':
    'Du hast diesen Monat {0} von {1} Transkriptionen des Tarifs {2} verbraucht; das Kontingent beginnt neu am {3}',
  'This would exceed your monthly spend cap; raise it with PUT /api/billing/payg-cap, or wait until {0}':
    'Das würde dein monatliches Ausgabenlimit überschreiten; erhöhe es mit PUT /api/billing/payg-cap oder warte bis {0}',
  'This costs {0} credits and you have {1}; buy more with POST /api/billing/checkout':
    'Das kostet {0} Credits und du hast {1}; kaufe weitere mit POST /api/billing/checkout',
  'Buy credits first, with POST /api/billing/checkout':
    'Kaufe zuerst Credits, mit POST /api/billing/checkout',
  'Buy a subscription and credits one after the other': 'Kaufe Abonnement und Credits nacheinander',
  'Payments are not configured: set {0}': 'Zahlungen sind nicht eingerichtet: setze {0}',
  'The payment provider failed to answer; try again':
    'Der Zahlungsanbieter hat nicht geantwortet; versuche es noch einmal',
  'An admin has granted you the tier {0}': 'Ein Admin hat dir den Tarif {0} gegeben',
  'You are already subscribed to {0}; end it with POST /api/billing/portal':
    'Du hast {0} schon abonniert; beende das Abonnement mit POST /api/billing/portal',
  'The tier {0} is not sold here': 'Der Tarif {0} wird hier nicht verkauft',
  'There is no subscription to change: you have not paid for anything yet':
    'Es gibt kein Abonnement zu ändern: Du hast noch nichts bezahlt',
  'The header stripe-signature is missing': 'Der Header stripe-signature fehlt',
  'Invalid signature': 'Ungültige Signatur',
  'The body is not a payment event': 'Der Inhalt ist kein Zahlungsereignis',

  // Memory
  'Memory not found': 'Erinnerung nicht gefunden',
  'The memory is superseded; change the memory in superseded_by':
    'Die Erinnerung wurde ersetzt; ändere die Erinnerung in superseded_by',
  '{0} memories match now; nothing was deleted':
    'Jetzt passen {0} Erinnerungen; es wurde nichts gelöscht',
  'The same content is remembered already': 'Derselbe Inhalt ist schon gespeichert',
  'The memory to supersede does not exist':
    'Die Erinnerung, die ersetzt werden soll, gibt es nicht',
  'The memory to supersede was superseded already':
    'Die Erinnerung, die ersetzt werden soll, wurde schon ersetzt',
  'The memory to supersede is trusted more than the one that is to replace it; only its user can do this':
    'Die Erinnerung, die ersetzt werden soll, ist vertrauenswürdiger als die neue; das kann nur ihr Benutzer',
  'A memory cannot supersede itself': 'Eine Erinnerung kann sich nicht selbst ersetzen',
  'No such mark of this memory': 'Diese Markierung der Erinnerung gibt es nicht',
  'No conflict under that key': 'Zu diesem Schlüssel gibt es keinen Widerspruch',
  'The memories of the conflict changed meanwhile; try again':
    'Die Erinnerungen des Widerspruchs haben sich inzwischen geändert; versuche es noch einmal',
  'No conversation was captured under that session':
    'Zu dieser Sitzung wurde keine Unterhaltung mitgeschnitten',
  'Event not found': 'Ereignis nicht gefunden',
  'Larger than {0}': 'Größer als {0}',
  'Not UTF-8 text': 'Kein UTF-8-Text',
  'Not JSON': 'Kein JSON',
  'Too large to read': 'Zu groß zum Lesen',

  // Chat, models and agents
  'The model did not answer in time': 'Das Modell hat nicht rechtzeitig geantwortet',
  'No model can answer now. Please try again later.':
    'Gerade kann kein Modell antworten. Bitte versuche es später noch einmal.',
  'The model failed to answer': 'Das Modell konnte nicht antworten',
  'Category not found': 'Kategorie nicht gefunden',
  'Message not found': 'Nachricht nicht gefunden',
  'No model wrote this message': 'Diese Nachricht hat kein Modell geschrieben',
  'This session has no question to answer again':
    'Diese Unterhaltung hat keine Frage, die noch einmal beantwortet werden kann',
  'Agent not found': 'Agent nicht gefunden',
  'This agent proposes nothing': 'Dieser Agent schlägt nichts vor',
  'This server has no provider for this API. Its operator sets {0}.':
    'Dieser Server hat keinen Anbieter für diese API. Der Betreiber setzt {0}.',
  'The model provider closed the connection before it answered':
    'Der Modellanbieter hat die Verbindung vor der Antwort geschlossen',
  'No model or response can have this id': 'Kein Modell und keine Antwort kann diese ID haben',
  'The request body is compressed; send it without Content-Encoding':
    'Der Inhalt der Anfrage ist komprimiert; sende ihn ohne Content-Encoding',
  'X-Svc-Memory must be on, read or off': 'X-Svc-Memory muss on, read oder off sein',
  '{0} must have 1 to 200 characters': '{0} muss 1 bis 200 Zeichen haben',

  // Files, audio and web pages
  'File not found': 'Datei nicht gefunden',
  'The file is empty': 'Die Datei ist leer',
  'The file is larger than 25 MB': 'Die Datei ist größer als 25 MB',
  'The file must be text, a PDF, a JPEG, PNG, WebP or GIF':
    'Die Datei muss Text, ein PDF, JPEG, PNG, WebP oder GIF sein',
  'Your files would be larger than 1 GB together; delete some first':
    'Deine Dateien wären zusammen größer als 1 GB; lösche zuerst einige',
  'The audio is empty': 'Die Aufnahme ist leer',
  'The audio is larger than 25 MB': 'Die Aufnahme ist größer als 25 MB',
  'The file must be audio': 'Die Datei muss eine Audiodatei sein',
  'No transcription endpoint is configured: set SVC_TRANSCRIBE_URL':
    'Es ist kein Transkriptionsdienst eingerichtet: setze SVC_TRANSCRIBE_URL',
  'The transcription endpoint failed': 'Der Transkriptionsdienst ist fehlgeschlagen',
  'Page not found': 'Seite nicht gefunden',
  'There is no public web server at this address':
    'Unter dieser Adresse gibt es keinen öffentlichen Webserver',
  'The host name could not be looked up': 'Der Hostname konnte nicht aufgelöst werden',
  'The site answered with status {0}': 'Die Website hat mit dem Status {0} geantwortet',
  'The page redirects more than {0} times': 'Die Seite leitet mehr als {0} Mal weiter',
  'The site took too long to answer': 'Die Website hat zu lange für die Antwort gebraucht',
  'The site does not accept connections': 'Die Website nimmt keine Verbindungen an',
  'The site has no valid certificate': 'Die Website hat kein gültiges Zertifikat',
  'The site closed the connection or sent an invalid HTTP response':
    'Die Website hat die Verbindung geschlossen oder eine ungültige HTTP-Antwort gesendet',
  'The page is larger than {0}': 'Die Seite ist größer als {0}',
  'The page expands too much when it is decompressed': 'Die Seite wird beim Entpacken zu groß',
  'The page has more than {0} content encodings': 'Die Seite hat mehr als {0} Inhaltskodierungen',
  'The page has an unsupported Content-Encoding':
    'Die Seite hat ein nicht unterstütztes Content-Encoding',
  'There is no text to read': 'Es gibt keinen Text zu lesen',
  'The PDF cannot be read': 'Das PDF kann nicht gelesen werden',
  'It is neither a page nor text nor a PDF': 'Es ist weder eine Seite noch Text noch ein PDF',

  // People
  'Thread not found': 'Unterhaltung nicht gefunden',
  'No user has this username': 'Niemand hat diesen Benutzernamen',
  'You cannot write to yourself': 'Du kannst dir nicht selbst schreiben',
  'The other user has deleted their account': 'Die andere Person hat ihr Konto gelöscht',
  'Email thread not found': 'E-Mail-Verlauf nicht gefunden',
  'Share not found': 'Geteilte Unterhaltung nicht gefunden',
  'This conversation is no longer shared': 'Diese Unterhaltung wird nicht mehr geteilt',

  // Automation
  'Reflex not found': 'Reflex nicht gefunden',
  'The reflex has no webhook': 'Der Reflex hat keinen Webhook',
  'Firing not found': 'Auslösung nicht gefunden',
  'Intent not found': 'Hinweis nicht gefunden',
  'Handler not found': 'Handler nicht gefunden',
  'Webhook not found': 'Webhook nicht gefunden',
  'Delivery not found': 'Zustellung nicht gefunden',
  '{0} is switched off by an admin; try again later':
    '{0} wurde von einem Admin ausgeschaltet; versuche es später noch einmal',
  'Device not found': 'Gerät nicht gefunden',
  'You have no device with this id': 'Du hast kein Gerät mit dieser ID',
  'Confirmation not found': 'Bestätigung nicht gefunden',
  'The confirmation was already decided: {0}': 'Über die Bestätigung wurde schon entschieden: {0}',
  'The confirmation is no longer open': 'Die Bestätigung ist nicht mehr offen',
  'The content to remember is empty': 'Der zu speichernde Inhalt ist leer',
  'The secret of the webhook cannot be read; renew it':
    'Das Geheimnis des Webhooks kann nicht gelesen werden; erneuere es',
  'Your tier no longer includes webhooks': 'Dein Tarif enthält keine Webhooks mehr',
  'Your email address is not verified': 'Deine E-Mail-Adresse ist nicht bestätigt',
}
