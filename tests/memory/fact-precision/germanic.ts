/** English and German sentences in the first person that state no fact of the kind named before them. */
export const NEGATIVES = `
home | Ich wohne in der Nähe von Köln.
home | Ich wohne in Untermiete.
home | Ich wohne in der Innenstadt.
home | Ich lebe in Scheidung.
home | Ich lebe in ständiger Angst.
home | Ich wohne in einer WG.
home | Ich wohne in Miete.
home | Ich lebe in Saus und Braus.
home | Ich wohne in einem Altbau.
home | Ich lebe in der Hoffnung, dass es besser wird.
home | Ich wohne in Laufweite zum Büro.
home | Ich lebe im Hier und Jetzt.
home | Ich wohne in Bahnhofsnähe.
home | Ich lebe in einer Beziehung.
home | Ich wohne im Erdgeschoss.
home | Ich wohne im Grünen.
home | Ich lebe in Frieden.
home | Ich lebe in Armut.
home | Ich wohne in Elternzeit bei meiner Mutter.
work.employer | Ich arbeite bei Gelegenheit daran.
work.employer | Ich arbeite bei Gelegenheit.
work.employer | Ich arbeite bei Regen drinnen.
work.employer | Ich arbeite bei Bedarf auch am Wochenende.
work.employer | Ich arbeite bei Nacht.
work.employer | Ich arbeite bei offenem Fenster.
work.employer | Ich arbeite bei Kerzenschein.
work.employer | Ich arbeite für Geld.
work.employer | Ich arbeite bei Musik am besten.
work.employer | Ich arbeite für den Frieden.
work.employer | Ich arbeite bei Hitze lieber nachts.
work.title | Ich bin von Beruf Sohn.
name | Mein Name ist Programm.
name | Mein Name ist Geschichte.
name | Mein Name ist Hase, ich weiß von nichts.
name | Ich heiße Gäste gern willkommen.
name | Ich heiße das nicht gut.
name | Mein Name ist Nebensache.
name | Mein Name ist Schall und Rauch.
name | Ich heiße Sie herzlich willkommen.
allergy | Ich bin allergisch gegen Dummheit.
allergy | Ich bin allergisch gegen Montage.
allergy | Ich bin allergisch gegen Unpünktlichkeit.
allergy | Ich bin allergisch gegen Besserwisser.
allergy | I'm allergic to nonsense.
allergy | I am allergic to meetings.
allergy | I'm allergic to bullshit.
allergy | I'm allergic to hard work.
allergy | I am allergic to drama.
allergy | I'm allergic to Mondays.
allergy | I am allergic to small talk.
allergy | I'm allergic to authority.
home | I live in fear of deadlines.
home | I live in the suburbs.
home | I live in hope.
home | I live in a flat share.
home | I live in denial.
home | I live in sweatpants.
home | I live in the moment.
home | I live in Excel these days.
home | I live near Cologne.
work.employer | I work at night.
work.employer | I work for free.
work.employer | I work for peanuts.
work.employer | I work at my own pace.
work.employer | I work for myself.
work.employer | I work at home.
work.employer | I work at odd hours.
name | My name is mud.
name | My name is on the list.
name | My name is legion.
name | I'm called lazy by everyone.
`
/** Sentences, each with the fact that it states. */
export const POSITIVES = `
home=Köln | Ich wohne in Köln.
home=Berlin | Ich lebe in Berlin.
home=München | Ich wohne seit 2019 in München.
home=Hamburg | Ich wohne in Hamburg, ganz nah am Hafen.
home=Bad Homburg | Ich wohne in Bad Homburg.
home=Zürich | Ich lebe in Zürich.
home=Leipzig | Ich wohne jetzt in Leipzig.
home=Frankfurt am Main | Ich wohne in Frankfurt am Main.
home=Ulm | Ich wohne in Ulm.
home=Österreich | Ich lebe in Österreich.
home=Lissabon | Ich wohne in Lissabon.
home=Bremen | Ich lebe derzeit in Bremen.
home=Graz | Ich wohne in Graz.
work.employer=Siemens | Ich arbeite bei Siemens.
work.employer=SAP | Ich arbeite bei SAP.
work.employer=BMW | Ich arbeite für BMW.
work.employer=Zalando | Ich arbeite bei Zalando in Berlin.
work.employer=Lidl | Ich arbeite bei Lidl.
work.employer=Nord Stream Analytics | Ich arbeite bei Nord Stream Analytics.
name=Anna | Ich heiße Anna.
name=Jonas Weber | Mein Name ist Jonas Weber.
name=Petra | Mein Name ist Petra.
name=Mehmet | Ich heiße Mehmet.
name=Karl-Heinz | Ich heiße Karl-Heinz.
name=Sophie Müller | Ich heiße Sophie Müller.
allergy=Erdnüsse | Ich bin allergisch gegen Erdnüsse.
allergy=Penicillin | Ich bin allergisch gegen Penicillin.
allergy=Katzen | Ich bin allergisch gegen Katzen.
allergy=Pollen | Ich bin allergisch gegen Pollen.
allergy=Latex | Ich bin allergisch gegen Latex.
home=Lisbon | I live in Lisbon.
home=New York | I live in New York.
home=San Francisco | I live in San Francisco.
home=Oslo | I live in Oslo with my wife.
home=Kyoto | I moved to Kyoto.
home=Portland | We live in Portland.
home=Hull | I live in Hull.
home=Ghent | I live in Ghent.
work.employer=Google | I work at Google.
work.employer=Acme | I work for Acme.
work.employer=Mozilla | I work at Mozilla.
work.employer=Deutsche Bank | I work at Deutsche Bank.
work.employer=Northwind | I work for Northwind.
work.employer=Night Owl Games | I work at Night Owl Games.
name=Ada | My name is Ada.
name=John Smith | My name is John Smith.
name=Priya | My name is Priya.
name=Bo | My name is Bo.
name=Grace | My name is Grace.
allergy=peanuts | I'm allergic to peanuts.
allergy=penicillin | I am allergic to penicillin.
allergy=shellfish | I'm allergic to shellfish.
allergy=cats | I am allergic to cats.
allergy=latex | I'm allergic to latex.
allergy=bee stings | I'm allergic to bee stings.
allergy=kiwi | I am allergic to kiwi.
allergy=ibuprofen | I'm allergic to ibuprofen.
allergy=tree nuts | I'm allergic to tree nuts.
allergy=dust mites | I'm allergic to dust mites.
`
