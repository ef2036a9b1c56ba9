import type { Texts } from '../../../../shared/error-texts.ts'

/** The German texts of pages, by the English ones. */
export const PAGE_TEXTS_DE: Texts = {
  'Page not found': 'Seite nicht gefunden',
  'There is no page at this address.': 'Unter dieser Adresse gibt es keine Seite.',
  'Open svc': 'svc öffnen',
  'The console requires JavaScript.': 'Die Konsole braucht JavaScript.',
  'The request failed': 'Die Anfrage ist fehlgeschlagen',

  // Sign-in, sign-up and mailed codes
  'Sign in': 'Anmelden',
  'Sign in to see your memories.': 'Melde dich an, um deine Erinnerungen zu sehen.',
  Password: 'Passwort',
  'Repeat password': 'Passwort wiederholen',
  'New password': 'Neues Passwort',
  'Repeat new password': 'Neues Passwort wiederholen',
  'At least 8 characters, and not one of the 10,000 most common passwords.':
    'Mindestens 8 Zeichen und keines der 10.000 häufigsten Passwörter.',
  'Show characters': 'Zeichen anzeigen',
  Email: 'E-Mail-Adresse',
  'Email me a code instead': 'Stattdessen einen Code per E-Mail erhalten',
  'Forgot your password?': 'Passwort vergessen?',
  'New here?': 'Neu hier?',
  'No new accounts': 'Keine neuen Konten',
  'This server takes no new accounts. Ask its operator for one.':
    'Dieser Server nimmt keine neuen Konten an. Frage seinen Betreiber nach einem.',
  'You need an invitation, or an address at a domain of this server.':
    'Du brauchst eine Einladung oder eine Adresse bei einer Domain dieses Servers.',
  'You need an invitation: use the address that was invited.':
    'Du brauchst eine Einladung: Nimm die eingeladene Adresse.',
  'You need an address at a domain of this server, or an invitation.':
    'Du brauchst eine Adresse bei einer Domain dieses Servers oder eine Einladung.',
  'Create an account': 'Konto erstellen',
  'Create account': 'Konto erstellen',
  'Already have an account?': 'Du hast schon ein Konto?',
  'Use a passkey': 'Passkey verwenden',
  'Continue with {0}': 'Weiter mit {0}',
  'Enter your code': 'Code eingeben',
  'Enter the code from your authenticator app, or a recovery code.':
    'Gib den Code aus deiner Authentifizierungs-App oder einen Wiederherstellungscode ein.',
  Code: 'Code',
  Continue: 'Weiter',
  'Start again': 'Von vorn beginnen',
  'Check your email': 'Sieh in deinen E-Mails nach',
  'If {0} has an account, a code was sent to it. It works for {1} minutes.':
    'Falls es für {0} ein Konto gibt, haben wir einen Code dorthin gesendet. Er gilt {1} Minuten.',
  'Sign in to svc': 'Bei svc anmelden',
  'Open it in the other browser': 'Öffne den Link im anderen Browser',
  'The link works in the browser where you asked for it. You can type the code there instead: {0}':
    'Der Link funktioniert in dem Browser, in dem du ihn angefordert hast. Du kannst dort stattdessen den Code eingeben: {0}',
  'Signed in as {0}.': 'Angemeldet als {0}.',
  'Sign out': 'Abmelden',

  // Sign-in through a provider
  'Signed in': 'Angemeldet',
  'Your account is ready.': 'Dein Konto ist bereit.',
  'Welcome back.': 'Willkommen zurück.',
  'Return to your app, or continue here.': 'Kehre zu deiner App zurück oder mach hier weiter.',
  'Not signed in': 'Nicht angemeldet',
  'Return to your app and sign in again.':
    'Kehre zu deiner App zurück und melde dich noch einmal an.',
  'Sign in to connect': 'Anmelden und verbinden',
  'Try again': 'Noch einmal versuchen',

  // Email verification and password reset
  'Confirm your email address': 'E-Mail-Adresse bestätigen',
  'Confirm that this email address is yours.': 'Bestätige, dass diese E-Mail-Adresse dir gehört.',
  Confirm: 'Bestätigen',
  'If another person created the account with your address, make it yours: its password, API keys and other ways to sign in end.':
    'Hat jemand anderes das Konto mit deiner Adresse erstellt, mach es zu deinem: Sein Passwort, seine API-Schlüssel und anderen Anmeldewege enden.',
  'I did not create this account': 'Ich habe dieses Konto nicht erstellt',
  'An account has this address, and it was never confirmed, so another person may have created it. Confirm the address to make the account yours: its password, API keys and other ways to sign in end.':
    'Ein Konto hat diese Adresse, und sie wurde nie bestätigt; vielleicht hat jemand anderes es erstellt. Bestätige die Adresse, um das Konto zu deinem zu machen: Sein Passwort, seine API-Schlüssel und anderen Anmeldewege enden.',
  'The account is yours. What another person may have set up to use it has ended, and its memories are marked as from outside. Sign in with a code by email, or choose a password.':
    'Das Konto gehört dir. Was jemand anderes eingerichtet haben könnte, um es zu nutzen, ist beendet, und seine Erinnerungen gelten als von außen. Melde dich mit einem Code per E-Mail an oder wähle ein Passwort.',
  'Address confirmed': 'Adresse bestätigt',
  'Your email address is verified. Return to your app, or continue here.':
    'Deine E-Mail-Adresse ist bestätigt. Kehre zu deiner App zurück oder mach hier weiter.',
  'Address not confirmed': 'Adresse nicht bestätigt',
  'Sign in to request a new link, or run {0}.':
    'Melde dich an, um einen neuen Link anzufordern, oder führe {0} aus.',
  'Change the email address': 'E-Mail-Adresse ändern',
  'The account {0} gets the address {1}. Confirm it only if the account is yours.':
    'Das Konto {0} bekommt die Adresse {1}. Bestätige das nur, wenn das Konto dir gehört.',
  'Use this address': 'Diese Adresse verwenden',
  'Address changed': 'Adresse geändert',
  'Your account has the new address. We told the former one, from which the change can be undone for 7 days.':
    'Dein Konto hat die neue Adresse. Die frühere haben wir benachrichtigt; von dort lässt sich die Änderung 7 Tage lang rückgängig machen.',
  'Address not changed': 'Adresse nicht geändert',
  'Sign in to see the address of your account, or to request a new link.':
    'Melde dich an, um die Adresse deines Kontos zu sehen oder einen neuen Link anzufordern.',
  'Undo the change of the email address': 'Änderung der E-Mail-Adresse rückgängig machen',
  'The account {0} gets its former address {1} back.':
    'Das Konto {0} bekommt seine frühere Adresse {1} zurück.',
  'Its password, sessions, API keys, passkeys, connected providers and authorized apps end, and so does a second factor that was turned on since. We mail you a link to choose a new password.':
    'Sein Passwort, seine Sitzungen, API-Schlüssel, Passkeys, verbundenen Anbieter und autorisierten Apps enden, ebenso ein zweiter Faktor, der seither eingeschaltet wurde. Wir senden dir einen Link, über den du ein neues Passwort wählst.',
  'Undo the change': 'Änderung rückgängig machen',
  'Change undone': 'Änderung rückgängig gemacht',
  'Your account has its former address again, and everyone is signed out. Choose a new password with the link that we mailed to it.':
    'Dein Konto hat wieder seine frühere Adresse, und alle sind abgemeldet. Wähle ein neues Passwort über den Link, den wir dorthin gesendet haben.',
  'Change not undone': 'Änderung nicht rückgängig gemacht',
  'If another person has your account, ask the operator of the server.':
    'Wenn jemand anderes dein Konto hat, frage den Betreiber des Servers.',
  'Reset your password': 'Passwort zurücksetzen',
  'Enter your email address. We send you a link to choose a new password.':
    'Gib deine E-Mail-Adresse ein. Wir senden dir einen Link, über den du ein neues Passwort wählst.',
  'Send the link': 'Link senden',
  'If an account has this address, we sent it a reset link. Open the link within one hour.':
    'Falls es ein Konto mit dieser Adresse gibt, haben wir einen Link zum Zurücksetzen gesendet. Öffne ihn innerhalb einer Stunde.',
  'No email? Check the spam folder, or {0}.':
    'Keine E-Mail erhalten? Sieh im Spam-Ordner nach oder {0}.',
  'request another link': 'fordere einen neuen Link an',
  'Choose a new password': 'Neues Passwort wählen',
  'Change password': 'Passwort ändern',
  'This signs you out on all devices. Your API keys stay valid.':
    'Damit wirst du auf allen Geräten abgemeldet. Deine API-Schlüssel bleiben gültig.',
  'Password changed': 'Passwort geändert',
  'You are signed out on all devices. Sign in with the new password here, in your app, or with {0}.':
    'Du bist auf allen Geräten abgemeldet. Melde dich mit dem neuen Passwort hier, in deiner App oder mit {0} an.',

  // Apps: device logins and OAuth
  'Authorize an app': 'App autorisieren',
  'Authorize app': 'App autorisieren',
  'Sign in to authorize an app.': 'Melde dich an, um eine App zu autorisieren.',
  'Sign in to authorize an app that shows the code {0}.':
    'Melde dich an, um die App zu autorisieren, die den Code {0} anzeigt.',
  'Sign in with svc to continue to an app.':
    'Melde dich mit svc an, um zu einer App weiterzugehen.',
  'Sign in to an app': 'Bei einer App anmelden',
  'Sign in to {0} with svc?': 'Mit svc bei {0} anmelden?',
  'an admin of this server': 'ein Admin dieses Servers',
  'know who you are, by an id that never changes':
    'wissen, wer du bist, an einer Kennung, die sich nie ändert',
  'see your name, your username, your picture, your time zone and the organization':
    'deinen Namen, deinen Benutzernamen, dein Bild, deine Zeitzone und die Organisation sehen',
  'see your email address': 'deine E-Mail-Adresse sehen',
  'keep its access while you are signed out': 'ihren Zugriff behalten, während du abgemeldet bist',
  'recall and read memories': 'Erinnerungen abrufen und lesen',
  'save, change and delete memories': 'Erinnerungen speichern, ändern und löschen',
  'You sign in as, with the memory of': 'Du meldest dich an als, mit den Erinnerungen von',
  Yourself: 'Du selbst',
  'Sign out of svc?': 'Von svc abmelden?',
  '{0} asks to end your session of svc in this browser.':
    '{0} möchte deine Sitzung bei svc in diesem Browser beenden.',
  'An app asks to end your session of svc in this browser.':
    'Eine App möchte deine Sitzung bei svc in diesem Browser beenden.',
  'Stay signed in': 'Angemeldet bleiben',
  'Signed out': 'Abgemeldet',
  'You are signed out': 'Du bist abgemeldet',
  'Your session of svc in this browser has ended.':
    'Deine Sitzung bei svc in diesem Browser ist beendet.',
  'Sign in to authorize an app that requests access to your memory.':
    'Melde dich an, um eine App zu autorisieren, die auf deine Erinnerungen zugreifen möchte.',
  'Enter the code that the app shows.': 'Gib den Code ein, den die App anzeigt.',
  'Allow {0} to use your account?': '{0} erlauben, dein Konto zu verwenden?',
  'Compare the codes: the app must show this one.':
    'Vergleiche die Codes: Die App muss diesen hier anzeigen.',
  'Requested from': 'Angefragt von',
  'Requested at': 'Angefragt am',
  'The app can': 'Die App kann',
  'read and write your memories and conversations':
    'deine Erinnerungen und Unterhaltungen lesen und schreiben',
  'read and write your memories and conversations, and {0}':
    'deine Erinnerungen und Unterhaltungen lesen und schreiben sowie {0}',
  'manage your account and its API keys': 'dein Konto und seine API-Schlüssel verwalten',
  Allow: 'Erlauben',
  Deny: 'Ablehnen',
  Connected: 'Verbunden',
  'The app can use your account now. Close this page and return to the app.':
    'Die App kann dein Konto jetzt verwenden. Schließ diese Seite und kehre zur App zurück.',
  Denied: 'Abgelehnt',
  'The app has no access. You can close this page.':
    'Die App hat keinen Zugriff. Du kannst diese Seite schließen.',
  'Allow {0} to use your memory?': '{0} erlauben, deine Erinnerungen zu verwenden?',
  'Described by': 'Beschrieben von',
  'the app itself; its name is not verified': 'der App selbst; ihr Name ist nicht geprüft',
  'You return to': 'Danach geht es zurück zu',
  'recall and save memories and talk to svc in your name, until you end its session':
    'in deinem Namen Erinnerungen abrufen und speichern und mit svc sprechen, bis du ihre Sitzung beendest',
  'Allow it only if you started this request yourself.':
    'Erlaube es nur, wenn du diese Anfrage selbst gestartet hast.',
  'an app on this computer ({0})': 'einer App auf diesem Computer ({0})',
  'the app that opens {0} links': 'der App, die {0}-Links öffnet',
  'Whose memory': 'Wessen Erinnerungen',
  'Only mine': 'Nur meine',
  'Invalid request': 'Ungültige Anfrage',
  '{0} sent an invalid authorization request':
    '{0} hat eine ungültige Autorisierungsanfrage gesendet',
  'Close this page, or {0} and report this error.':
    'Schließ diese Seite oder {0} und melde diesen Fehler.',
  'return to {0}': 'kehre zurück zu {0}',

  // Invitations
  'Sign in with the invited address to answer the invitation.':
    'Melde dich mit der eingeladenen Adresse an, um auf die Einladung zu antworten.',
  'Join {0}?': '{0} beitreten?',
  '{0} invites you to be an admin of the organization {1}.':
    '{0} lädt dich ein, Admin der Organisation {1} zu werden.',
  'You are invited to be an admin of the organization {0}.':
    'Du bist eingeladen, Admin der Organisation {0} zu werden.',
  '{0} invites you to be a member of the organization {1}.':
    '{0} lädt dich ein, Mitglied der Organisation {1} zu werden.',
  'You are invited to be a member of the organization {0}.':
    'Du bist eingeladen, Mitglied der Organisation {0} zu werden.',
  'Its members share the memories they save in it. Your own memories stay private.':
    'Ihre Mitglieder teilen die Erinnerungen, die sie darin speichern. Deine eigenen Erinnerungen bleiben privat.',
  'The invitation is for {0}. Sign in or sign up with this address to accept it.':
    'Die Einladung gilt für {0}. Melde dich mit dieser Adresse an oder registriere dich damit, um sie anzunehmen.',
  'Sign up': 'Registrieren',
  'Not interested?': 'Kein Interesse?',
  Decline: 'Ablehnen',
  Accept: 'Annehmen',
  'Wrong account': 'Falsches Konto',
  'This invitation is for another address': 'Diese Einladung gilt für eine andere Adresse',
  'It was sent to {0}. Sign in with that address to join {1}, or ask for an invitation to your address.':
    'Sie wurde an {0} gesendet. Melde dich mit dieser Adresse an, um {1} beizutreten, oder bitte um eine Einladung an deine Adresse.',
  'Confirm your address first': 'Bestätige zuerst deine Adresse',
  'Open the invitation from the email to {0}. Or open the link in the email that you received when you signed up, then try again here.':
    'Öffne die Einladung aus der E-Mail an {0}. Oder öffne den Link in der E-Mail, die du bei der Registrierung erhalten hast, und versuche es hier noch einmal.',
  'Send the link again': 'Link erneut senden',
  'Open the link in the email to {0}, then return to the invitation.':
    'Öffne den Link in der E-Mail an {0} und kehre dann zur Einladung zurück.',
  'Back to the invitation': 'Zurück zur Einladung',
  'You are a member': 'Du bist Mitglied',
  'You are a member of {0}': 'Du bist Mitglied von {0}',
  'Select {0} in your app, or continue here.': 'Wähle {0} in deiner App aus oder mach hier weiter.',
  'Welcome to {0}': 'Willkommen bei {0}',
  'You are a member now. To save memories in {0}, select it in your app or use an API key of the organization. Otherwise your memories stay private.':
    'Du bist jetzt Mitglied. Um Erinnerungen in {0} zu speichern, wähle die Organisation in deiner App aus oder verwende einen ihrer API-Schlüssel. Andernfalls bleiben deine Erinnerungen privat.',
  'Invitation declined': 'Einladung abgelehnt',
  Declined: 'Abgelehnt',
  'The invitation is no longer valid.': 'Die Einladung ist nicht mehr gültig.',
  'This invitation is not valid': 'Diese Einladung ist nicht gültig',
  'It has expired, was withdrawn, or was answered already. Ask the sender for a new invitation.':
    'Sie ist abgelaufen, wurde zurückgezogen oder schon beantwortet. Bitte den Absender um eine neue Einladung.',

  // The first admin
  'Sign in with the account that becomes the admin of this server.':
    'Melde dich mit dem Konto an, das Admin dieses Servers wird.',
  'Become the admin': 'Admin werden',
  'Become the admin of this server?': 'Admin dieses Servers werden?',
  'An admin lists accounts, disables them, changes their tiers, makes other users admins, and switches background engines on and off. An admin can also use the account of a user, with its memories, for up to an hour; the user gets the reason by email.':
    'Ein Admin sieht alle Konten, sperrt sie, ändert ihre Tarife, macht andere zu Admins und schaltet Hintergrunddienste ein und aus. Ein Admin kann auch das Konto anderer mit ihren Erinnerungen verwenden, bis zu einer Stunde lang; sie bekommen den Grund per E-Mail.',
  'You are the admin': 'Du bist Admin',
  '{0} is now the admin of this server. The link cannot be used again.':
    '{0} ist jetzt Admin dieses Servers. Der Link kann nicht noch einmal verwendet werden.',
  'Open the administration': 'Administration öffnen',

  // Shared conversations
  'Shared on {0} · {1} message': 'Geteilt am {0} · {1} Nachricht',
  'Shared on {0} · {1} messages': 'Geteilt am {0} · {1} Nachrichten',
  'From the beginning': 'Von Anfang an',
  'The conversation had no messages when it was shared.':
    'Die Unterhaltung hatte noch keine Nachrichten, als sie geteilt wurde.',
  'Next messages': 'Nächste Nachrichten',
  User: 'Nutzer',
  'Attachments: {0}': 'Anhänge: {0}',
  'No longer shared': 'Nicht mehr geteilt',
  'The owner no longer shares this conversation.': 'Diese Unterhaltung wird nicht mehr geteilt.',
  'Conversation not found': 'Unterhaltung nicht gefunden',
  'Check that you have copied the whole link.': 'Prüfe, ob du den ganzen Link kopiert hast.',

  // Tiers and prices
  'Tiers and prices': 'Tarife und Preise',
  'Thank you. Your payment takes effect in a moment.':
    'Vielen Dank. Deine Zahlung wird gleich wirksam.',
  'All numbers are for a calendar month. Seats are members of an organization. Remembering and recalling are free in every tier.':
    'Alle Angaben gelten für einen Kalendermonat. Plätze sind Mitglieder einer Organisation. Speichern und Abrufen von Erinnerungen ist in jedem Tarif kostenlos.',
  Messages: 'Nachrichten',
  'Web pages': 'Webseiten',
  Emails: 'E-Mails',
  Transcriptions: 'Transkriptionen',
  Seats: 'Plätze',
  Features: 'Funktionen',
  'deep recall': 'Deep-Abruf',
  'sage recall': 'Sage-Abruf',
  webhooks: 'Webhooks',
  free: 'kostenlos',
  '{0} a month': '{0} pro Monat',
  'what you use, from credits': 'nach Nutzung, aus Credits',
  '{0} credit': '{0} Credit',
  '{0} credits': '{0} Credits',
  'any number': 'unbegrenzt',
  'How to change': 'So wechselst du',
  'Subscribe, buy credits or change a subscription on the page Usage.':
    'Auf der Seite „Nutzung“ kannst du ein Abonnement abschließen oder ändern und Credits kaufen.',
  'Choose a tier': 'Tarif wählen',
  'An app calls {0} for a payment page, with {1} to subscribe, or {2} to pay as you go; 1,000 credits are one US dollar. {3} returns a page to change or end a subscription.':
    'Eine App ruft {0} für eine Zahlungsseite auf: mit {1} für ein Abonnement oder mit {2} für die Zahlung nach Nutzung; 1.000 Credits sind ein US-Dollar. {3} liefert eine Seite, auf der du ein Abonnement änderst oder beendest.',
  'This server takes no payments. Ask its operator for a higher tier.':
    'Dieser Server nimmt keine Zahlungen an. Bitte den Betreiber um einen höheren Tarif.',
}
